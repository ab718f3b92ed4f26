import { setTimeout as delay } from "node:timers/promises";
import type { BenchBot } from "./bot.ts";

/** Effects of a sustained flood on a bot. */
export interface Flooded {
  /** Numbers of deliveries answered with 503, and with 200. */
  readonly shed: number;
  readonly acknowledged: number;
  /** Peak memory of the bot's process, in MiB. */
  readonly rssMb: number;
  /** Greatest age, in seconds, of an event for which the runtime has not yet decided what to do. */
  readonly lagS: number;
  readonly repliesPerSecond: number;
}

export interface Flood {
  /** Number of deliveries a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Creates requests with ids that no earlier request had. */
  readonly messages: (count: number) => Buffer[];
}

const LOOK_EVERY_MS = 250;
/**
 * Milliseconds of load for which requests are created in advance: few, so that the load generator uses little memory.
 */
const BATCH_MS = 50;
const MIB = 2 ** 20;

/** Delivers at a fixed rate for `seconds`, and ignores the bot's answers. */
export async function flood(bot: BenchBot, { rate, seconds, messages }: Flood): Promise<Flooded> {
  const statuses = new Map<number, number>();
  let replies = 0;
  let rss = 0;
  let lagMs = 0;
  bot.platform.onReply = () => (replies += 1);
  const count = async (status: Promise<number>): Promise<void> => {
    const got = await status;
    statuses.set(got, (statuses.get(got) ?? 0) + 1);
  };
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const watching = (async () => {
    while (elapsed() < seconds * 1_000) {
      const state = await bot.state();
      rss = Math.max(rss, state.rss);
      lagMs = Math.max(lagMs, Date.now() - (state.store.oldestArrivedAt ?? Date.now()));
      await delay(LOOK_EVERY_MS);
    }
  })();
  for (let sent = 0; elapsed() < seconds * 1_000;) {
    const due = Math.floor((elapsed() / 1_000) * rate);
    for (const request of messages(due - sent)) void count(bot.deliverer.send(request));
    sent = due;
    await delay(BATCH_MS);
  }
  await watching;
  const took = elapsed() / 1_000;
  bot.platform.onReply = () => {};
  return {
    shed: statuses.get(503) ?? 0,
    acknowledged: statuses.get(200) ?? 0,
    rssMb: Math.round(rss / MIB),
    lagS: Math.round(lagMs / 100) / 10,
    repliesPerSecond: replies / took,
  };
}
