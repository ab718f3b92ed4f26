import { setTimeout as delay } from "node:timers/promises";
import { type BenchBot, startBot } from "../answering/bot.ts";
import { delivery } from "../answering/deliverer.ts";
import type { Benchmark } from "../main.ts";
import { wholeNumber } from "../numbers.ts";
import { slowSync } from "../slow-sync.ts";

const EVENTS = wholeNumber("EVENTS", 1_000_000);
/** Number of other events between the two deliveries of an event. */
const DUPLICATE_AFTER = 5_000;
const PEOPLE = 5_000;
const AT_ONCE = 64;
/** Age of the events, in milliseconds. */
const AGE = 60 * 60_000;
/** Milliseconds after which a rejected delivery is sent again. */
const AGAIN_MS = 1_000;

/** Cost of a replay. */
interface Replay {
  /** Number of deliveries acknowledged and decided per second, duplicates included. */
  readonly perSecond: number;
  /** Memory of the runtime in MiB, at each quarter. */
  readonly rssMiB: readonly number[];
  /** Number of deliveries rejected with 503 and sent again. */
  readonly shed: number;
}

/**
 * Measures a replay of a million deliveries into a whole runtime, half of them duplicates, until the runtime has
 * decided the last one. No rule answers the messages, because another benchmark measures sending.
 */
export const catchup: Benchmark = {
  name: "catchup",
  about: "a replay of 1,000,000 deliveries, half of them duplicates (EVENTS=N for fewer)",
  async run(say) {
    const slow = await slowSync();
    if ("why" in slow) say(`without the slow disk: ${slow.why}`);
    const whole = await replay(EVENTS, {}, say);
    const slowed =
      "path" in slow ? await replay(EVENTS / 10, { preload: slow.path }, say) : undefined;
    const row = (title: string, { perSecond, rssMiB, shed }: Replay) => [
      title,
      perSecond.toString(),
      rssMiB.join(" "),
      shed.toString(),
    ];
    const [quarter = Number.NaN, half = Number.NaN, most = Number.NaN, all = Number.NaN] =
      whole.rssMiB;
    return {
      figures: {
        events_per_s: whole.perSecond,
        rss_25_mib: quarter,
        rss_50_mib: half,
        rss_75_mib: most,
        rss_100_mib: all,
        shed: whole.shed,
        ...(slowed && { slow_disk_events_per_s: slowed.perSecond }),
      },
      table: [
        ["replay", "events/s", "MiB at 25, 50, 75 and 100 %", "came again after 503"],
        row(`${EVENTS} deliveries`, whole),
        ...(slowed ? [row(`${EVENTS / 10} deliveries, 3 ms more a device sync`, slowed)] : []),
      ],
    };
  },
};

async function replay(
  events: number,
  options: { readonly preload?: string },
  say: (line: string) => void,
): Promise<Replay> {
  const bot = await startBot({ ...options, word: "nobody-writes-this" });
  const rssMiB: number[] = [];
  let shed = 0;
  const started = performance.now();
  for (let quarter = 0; quarter < 4; quarter++) {
    const from = (events * quarter) / 4;
    shed += await deliverAll(bot, from, (events * (quarter + 1)) / 4);
    rssMiB.push(Math.round((await bot.state()).rss / 1024 / 1024));
    say(`  ${(quarter + 1) * 25} %: ${rssMiB.at(-1)} MiB, ${shed} came again after 503`);
  }
  while ((await bot.state()).store.inbox > 0) await delay(20);
  const perSecond = Math.round(events / ((performance.now() - started) / 1_000));
  await bot.close();
  return { perSecond, rssMiB, shed };
}

/** Sends deliveries `from` to `to`, several at once. Resolves with the number of deliveries that were rejected at first. */
async function deliverAll({ deliverer }: BenchBot, from: number, to: number): Promise<number> {
  let next = from;
  let shed = 0;
  const one = async (): Promise<void> => {
    while (next < to) {
      const id = idOf(next++);
      const request = delivery(300_000_000 + id, String(1_000 + (id % PEOPLE)), AGE);
      while ((await deliverer.send(request)) !== 200) {
        shed += 1;
        await delay(AGAIN_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return shed;
}

/** Returns the id of a delivery's event. Every second delivery repeats an event from some thousands before. */
function idOf(place: number): number {
  const id = Math.floor(place / 2);
  return place % 2 === 0 ? id : Math.max(0, id - DUPLICATE_AFTER);
}
