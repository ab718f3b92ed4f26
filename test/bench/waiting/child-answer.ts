/**
 * `child-answer.ts FOLDER RUNS ROUND`: opens the store, and answers some of the waiting conversations.
 *
 * Prints as JSON the memory of the process in MB, and the median of the milliseconds from a message's
 * arrival to the commit that continues its conversation.
 */
import { openStore } from "../../../src/runtime/store/open.ts";
import { when } from "../../support/when.ts";
import { quantile, round2 } from "../numbers.ts";
import { waitingBot } from "./bot.ts";

const ANSWERS = 10;

const [runs, round] = [Number(process.argv[3]), Number(process.argv[4])];
const opening = performance.now();
const store = await openStore(`file:${process.argv[2] ?? ""}`);
const open_ms = Math.round(performance.now() - opening);
const bot = await waitingBot(store);
const pending = (await store.stats()).items.pending;
const times: number[] = [];
for (let n = 0; n < ANSWERS; n += 1) {
  const before = (await store.stats()).runs.waiting;
  const person = 1 + ((n * Math.floor(runs / ANSWERS) + round) % runs);
  const began = performance.now();
  // A valid answer ends the question and queues the bot's reply. After that, the run waits until the reply is sent.
  await bot.hears(`9${round}00${n}`, person, "it is A12345");
  await when(async () => {
    const { items, inbox } = await store.stats();
    return items.pending === pending + n + 1 && inbox === 0 ? true : undefined;
  });
  times.push(performance.now() - began);
  if ((await store.stats()).runs.waiting !== before) throw new Error("the wait did not take it");
}
const rss_mb = Math.round(process.memoryUsage().rss / 1_000_000);
process.stdout.write(
  `${JSON.stringify({ rss_mb, open_ms, decide_ms: round2(quantile(times.slice(1), 0.5)) })}\n`,
);
await bot.end();
await store.close();
