import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark } from "../main.ts";
import { type Backlog, furnish } from "./furnish.ts";
import { type BotProcess, canCount, startBot } from "./process.ts";
import type { Talk, Talked } from "./talk.ts";

const BACKLOGS = ["none", "lane", "blocked"] as const satisfies readonly Backlog[];
const ROUNDS = 3;

const WARM_UP: Talk = { conversations: 20, atOnce: 1, pouring: 0 };
const ONE: Talk = { conversations: 60, atOnce: 1, pouring: 0 };
const MANY: Talk = { conversations: 1_500, atOnce: 64, pouring: 0 };
const POURED: Talk = { ...MANY, pouring: 1_000 };

/**
 * Measures the latency of an answer behind a backlog of other people's events, and the disk cost of an answer. The
 * measured time is from the append of a message to the request with its answer. The runtime's own stages work on the
 * real store, and a platform on loopback delivers each answer's echo (the event that reports it). Each round starts
 * from fresh copies of the same stores, in separate processes, one backlog after the other.
 */
export const backlog: Benchmark = {
  name: "backlog",
  about:
    "others' latency with 50,000 entries or 10,000 items waiting; syncs and bytes of an answer",
  async run(say) {
    const folder = await mkdtemp(join(tmpdir(), "answerback-backlog-"));
    try {
      for (const name of BACKLOGS) await furnish(join(folder, name), name);
      say("furnished");
      const waits = await latencies(folder, say);
      const cost = await costs(folder, say);
      const speed = await speeds(folder, say);
      const figures = { ...waits, ...cost, ...speed };
      return {
        figures,
        table: [["what", "figure"], ...Object.entries(figures).map(([k, v]) => [k, `${v}`])],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Runs a bot on a copy of the filled store while `during` runs. */
async function onCopy<T>(
  folder: string,
  name: Backlog,
  during: (bot: BotProcess) => Promise<T>,
  trace?: string,
): Promise<T> {
  const copy = join(folder, "copy");
  await cp(join(folder, name), copy, { recursive: true });
  const bot = await startBot(copy, trace);
  try {
    return await during(bot);
  } finally {
    await bot.end();
    await rm(copy, { recursive: true });
  }
}

async function latencies(folder: string, say: (line: string) => void) {
  const rounds: Record<Backlog, Talked[]> = { none: [], lane: [], blocked: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of BACKLOGS) {
      const talked = await onCopy(folder, name, async (bot) => {
        await bot.talk(WARM_UP);
        return bot.talk(ONE);
      });
      rounds[name].push(talked);
      say(`round ${round + 1}  ${name.padEnd(8)} p50 ${talked.p50Ms.toFixed(1)} ms`);
    }
  }
  const p50 = (name: Backlog): number => median(rounds[name].map(({ p50Ms }) => p50Ms));
  const ratio = (name: Backlog): number =>
    median(rounds[name].map(({ p50Ms }, n) => p50Ms / (rounds.none[n]?.p50Ms ?? Number.NaN)));
  return {
    p50_ms: round2(p50("none")),
    lane_p50_ms: round2(p50("lane")),
    blocked_p50_ms: round2(p50("blocked")),
    lane_ratio: round2(ratio("lane")),
    blocked_ratio: round2(ratio("blocked")),
  };
}

/** Measures device syncs (counted by strace) and bytes written (counted by the kernel) of one answer. */
async function costs(folder: string, say: (line: string) => void) {
  if (!canCount) say("strace is not there: device syncs are not counted");
  const trace = canCount ? join(folder, "trace") : undefined;
  return onCopy(
    folder,
    "none",
    async (bot) => {
      await bot.talk(WARM_UP);
      const cost = async (talk: Talk) => {
        const before = await bot.syncs();
        const { bytes } = await bot.talk(talk);
        const syncs = (await bot.syncs()) - before;
        return { syncs: syncs / talk.conversations, kb: bytes / 1_000 / talk.conversations };
      };
      const one = await cost({ ...ONE, conversations: 500 });
      const many = await cost(MANY);
      say(`one at a time ${one.syncs} syncs ${one.kb} KB; under load ${many.syncs} ${many.kb}`);
      return {
        syncs_per_answer: round2(one.syncs),
        kb_per_answer: round2(one.kb),
        syncs_per_answer_under_load: round2(many.syncs),
        kb_per_answer_under_load: round2(many.kb),
      };
    },
    trace,
  );
}

/** Measures answers a second, without other deliveries and during a thousand other deliveries a second. */
async function speeds(folder: string, say: (line: string) => void) {
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await onCopy(folder, "none", async (bot) => {
      await bot.talk({ ...MANY, conversations: 500 });
      alone.push((await bot.talk(MANY)).perSecond);
      beside.push((await bot.talk(POURED)).perSecond);
    });
    say(`round ${round + 1}  ${alone.at(-1)?.toFixed(0)}/s, poured ${beside.at(-1)?.toFixed(0)}/s`);
  }
  return {
    answers_per_s: Math.round(median(alone)),
    poured_answers_per_s: Math.round(median(beside)),
    poured_share: round2(median(beside.map((n, i) => n / (alone[i] ?? Number.NaN)))),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
