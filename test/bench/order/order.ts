import { setTimeout as delay } from "node:timers/promises";
import {
  heldConversations,
  type Conversation,
  type HeldConversations,
} from "../../support/held-conversations.ts";
import type { Benchmark } from "../main.ts";

const CONVERSATIONS = 500;
const PAIRS = 5;
/** Messages a second: well below the capacity of a runtime and a sandbox in one process. */
const PER_SECOND = 60;
const SECONDS = 10;
/** Number of messages that wait behind the stuck message. */
const BEHIND = 20;

interface Round {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Measures the milliseconds from a person's message to the recorded answer, for 499 conversations. In every second
 * round, the 500th conversation is stuck in a step, and messages wait behind it.
 */
export const order: Benchmark = {
  name: "order",
  about: "answers of 499 conversations while one is stuck in a step, beside none stuck",
  async run(say) {
    const bot = await heldConversations(CONVERSATIONS);
    const [stuck, ...others] = bot.conversations;
    if (stuck === undefined) throw new Error("there are no conversations");
    const free: Round[] = [];
    const beside: Round[] = [];
    await round(bot, others);
    for (let pair = 1; pair <= PAIRS; pair += 1) {
      free.push(await round(bot, others));
      await bot.say(stuck, `hold ${pair}`);
      for (let n = 0; n < BEHIND; n += 1) await bot.say(stuck, `behind ${n}`);
      beside.push(await round(bot, others));
      const isQuiet = answersIn(bot, BEHIND + 1, stuck);
      await bot.release(String(pair));
      await isQuiet;
      say(`pair ${pair}  p99 ${ms(free.at(-1)?.p99)} ms free, ${ms(beside.at(-1)?.p99)} ms beside`);
    }
    await bot.close();
    const ratio = (what: keyof Round): number =>
      median(beside.map((one, n) => one[what] / (free[n]?.[what] ?? Number.NaN)));
    const figures = {
      free_p50_ms: ms(median(free.map(({ p50 }) => p50))),
      free_p99_ms: ms(median(free.map(({ p99 }) => p99))),
      beside_p50_ms: ms(median(beside.map(({ p50 }) => p50))),
      beside_p99_ms: ms(median(beside.map(({ p99 }) => p99))),
      p50_ratio: ms(ratio("p50")),
      p99_ratio: ms(ratio("p99")),
    };
    return {
      figures,
      table: [
        ["message to answer, others", "p50 ms", "p99 ms"],
        ["none is stuck", `${figures.free_p50_ms}`, `${figures.free_p99_ms}`],
        ["one is stuck", `${figures.beside_p50_ms}`, `${figures.beside_p99_ms}`],
        ["ratio, median of pairs", `${figures.p50_ratio}`, `${figures.p99_ratio}`],
      ],
    };
  },
};

/** Sends messages at a steady pace and returns the latency of their answers. */
async function round(bot: HeldConversations, from: readonly Conversation[]): Promise<Round> {
  const saidAt = new Map<string, number>();
  const took: number[] = [];
  const total = PER_SECOND * SECONDS;
  const answered = new Promise<void>((resolve) => {
    const stop = bot.runtime.events.on("item-settled", ({ data: { lane } }) => {
      const since = saidAt.get(lane);
      if (since === undefined) return;
      took.push(performance.now() - since);
      if (took.length === total) {
        stop();
        resolve();
      }
    });
  });
  const started = performance.now();
  for (let n = 0; n < total; n += 1) {
    await delay(Math.max(0, started + (n * 1_000) / PER_SECOND - performance.now()));
    const one = from[n % from.length];
    if (one === undefined) throw new Error("nobody talks");
    saidAt.set(one.lane, performance.now());
    void bot.say(one, `message ${n}`);
  }
  await answered;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Resolves when `count` answers of a conversation are recorded. */
function answersIn(bot: HeldConversations, count: number, { lane }: Conversation): Promise<void> {
  let remaining = count;
  return new Promise((resolve) => {
    const stop = bot.runtime.events.on("item-settled", ({ data }) => {
      if (data.lane !== lane) return;
      remaining -= 1;
      if (remaining > 0) return;
      stop();
      resolve();
    });
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function ms(value = Number.NaN): number {
  return Math.round(value * 100) / 100;
}
