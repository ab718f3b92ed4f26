import { setTimeout as delay } from "node:timers/promises";
import { type Bundle, bundled } from "../../support/bundle.ts";
import type { Benchmark } from "../main.ts";
import { round2, spreadOf, spreadText, wholeNumber } from "../numbers.ts";
import { type Contender, startContender } from "./contender.ts";
import { type Cost, type Load, measure } from "./measure.ts";

const ROUNDS = wholeNumber("ROUNDS", 3);
const WARM_UP = 1_000;
/** Milliseconds without deliveries before the memory of an idle bot is read. */
const IDLE_MS = 2_000;

const LOADS = {
  backlog: { events: wholeNumber("BACKLOG", 3_000) },
  200: { events: 800, rate: 200 },
  20: { events: 120, rate: 20 },
} as const satisfies Record<string, Load>;
type LoadName = "backlog" | "200" | "20";
const LOAD_NAMES: readonly LoadName[] = ["backlog", "200", "20"];

/** Titles of the result's rows, by the name of the bot's file. */
const BOTS = { ours: "the runtime", express: "express by hand", chat: "Chat SDK" } as const;
type BotName = keyof typeof BOTS;
const BOT_NAMES: readonly BotName[] = ["ours", "express", "chat"];
const programOf = (bot: BotName): string => `test/bench/answered/servers/${bot}`;

/** Costs of one bot in one round, and the memory of the idle bot in MB. */
type Measured = Readonly<Record<LoadName, Cost>> & { readonly rssMb: number };

/**
 * Measures everything between a signed delivery and the signed request of the answer, with one rule. The same rule is
 * written by hand for express, and for the Chat SDK. Those two bots store nothing, so a crash loses their events.
 *
 * The bots are bundled, like the installed package: the TypeScript loader adds code to each closure.
 */
export const answered: Benchmark = {
  name: "answered",
  about: "the cost of one answered event, at a trickle and out of a backlog, beside express",
  async run(say) {
    const rounds: Record<BotName, Measured>[] = [];
    const bundle = await bundled(BOT_NAMES.map(programOf));
    try {
      for (let number = 1; number <= ROUNDS; number++) {
        const round = await inTurns(bundle);
        rounds.push(round);
        for (const bot of BOT_NAMES) say(`round ${number}: ${lineOf(bot, round[bot])}`);
      }
    } finally {
      await bundle.remove();
    }
    return { figures: figuresOf(rounds), table: tableOf(rounds) };
  },
};

/** Starts all bots, and measures each load with all of them before the next load. */
async function inTurns(bundle: Bundle): Promise<Record<BotName, Measured>> {
  const start = (bot: BotName): Promise<Contender> => startContender(bundle.path(programOf(bot)));
  const bots: Record<BotName, Contender> = {
    ours: await start("ours"),
    express: await start("express"),
    chat: await start("chat"),
  };
  const each = async <T>(use: (bot: Contender) => Promise<T>): Promise<Record<BotName, T>> => ({
    ours: await use(bots.ours),
    express: await use(bots.express),
    chat: await use(bots.chat),
  });
  try {
    await each((bot) => measure(bot, { events: WARM_UP }));
    const backlog = await each((bot) => measure(bot, LOADS.backlog));
    const quick = await each((bot) => measure(bot, LOADS[200]));
    const slow = await each((bot) => measure(bot, LOADS[20]));
    await delay(IDLE_MS);
    const idle = await each((bot) => bot.usage());
    const measured = (bot: BotName): Measured => ({
      backlog: backlog[bot],
      200: quick[bot],
      20: slow[bot],
      rssMb: idle[bot].rssMb,
    });
    return { ours: measured("ours"), express: measured("express"), chat: measured("chat") };
  } finally {
    await each((bot) => bot.close());
  }
}

function lineOf(bot: BotName, measured: Measured): string {
  const costs = LOAD_NAMES.map((load) => `${load}: ${Math.round(measured[load].us)} µs`).join(", ");
  const { trips, transactions, statements, p50, p99 } = measured[20];
  const store = `${round2(trips)} trips, ${round2(transactions)} transactions, ${round2(statements)} statements`;
  return `${BOTS[bot]}: ${costs}; at 20/s ${store}, p50 ${round2(p50)} ms, p99 ${round2(p99)} ms`;
}

function figuresOf(rounds: readonly Record<BotName, Measured>[]): Record<string, number> {
  const median = (of: (round: Record<BotName, Measured>) => number): number =>
    spreadOf(rounds.map(of)).median;
  const ratio = (bot: BotName, load: LoadName): number =>
    round2(median((round) => round.ours[load].us / round[bot][load].us));
  const trickle = (name: keyof Cost): number => round2(median(({ ours }) => ours[20][name]));
  return {
    us_backlog: Math.round(median(({ ours }) => ours.backlog.us)),
    us_200: Math.round(median(({ ours }) => ours[200].us)),
    us_20: Math.round(median(({ ours }) => ours[20].us)),
    to_express_backlog: ratio("express", "backlog"),
    to_express_200: ratio("express", "200"),
    to_express_20: ratio("express", "20"),
    to_chat_sdk_backlog: ratio("chat", "backlog"),
    to_chat_sdk_200: ratio("chat", "200"),
    to_chat_sdk_20: ratio("chat", "20"),
    trips: trickle("trips"),
    transactions: trickle("transactions"),
    statements: trickle("statements"),
    p50_ms: trickle("p50"),
    p99_ms: trickle("p99"),
    rss_idle_mb: round2(median(({ ours }) => ours.rssMb)),
  };
}

function tableOf(rounds: readonly Record<BotName, Measured>[]): (readonly string[])[] {
  const heading = LOAD_NAMES.map((load) => (load === "backlog" ? "backlog, µs" : `${load}/s, µs`));
  const rows = BOT_NAMES.map((bot) => [
    BOTS[bot],
    ...LOAD_NAMES.map((load) => spreadText(spreadOf(rounds.map((round) => round[bot][load].us)))),
    spreadText(spreadOf(rounds.map((round) => round[bot][20].p50)), 1),
  ]);
  return [["processor time of an answer", ...heading, "20/s, p50 ms"], ...rows];
}
