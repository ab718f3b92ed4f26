import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark } from "../main.ts";
import { round2, spreadOf, spreadText, wholeNumber } from "../numbers.ts";
import { type BenchBot, startBot } from "./bot.ts";
import { delivery } from "./deliverer.ts";
import { flood, type Flooded } from "./flood.ts";

const ROUNDS = wholeNumber("ROUNDS", 3);
/** Messages that wait at the start of a measurement, so that there is always one to answer. */
const BACKLOG = 8_000;
const SECONDS = 4;
const RATE = 1_000;
const FLOOD = 3_000;
/** Duration of the sustained flood in seconds; `FLOOD_SECONDS=5` makes it shorter. */
const FLOOD_SECONDS = wholeNumber("FLOOD_SECONDS", 30);

/** Result of one measurement. */
interface While {
  readonly repliesPerSecond: number;
  readonly acknowledgedPerSecond: number;
  /** Number of deliveries answered with 503. */
  readonly shed: number;
  /**
   * Processor time of the runtime for each reply in microseconds, including its work for deliveries in the same time.
   */
  readonly cpuUs: number;
}

/**
 * Measures replies per second while a backlog is answered: without deliveries, with 1,000 deliveries a second, and with
 * 3,000. Each round starts a new runtime and takes the three measurements in turn.
 */
export const answering: Benchmark = {
  name: "answering",
  about: "replies per second while deliveries come in, beside those without",
  async run(say) {
    const rounds: { quiet: While; busy: While; flooded: While }[] = [];
    for (let number = 0; number < ROUNDS; number++) {
      const bot = await startBot();
      const messages = numbering(100_000_000 + number * 10_000_000);
      await measure(bot, messages, { rate: 0, backlog: 1_000, seconds: 1 });
      await drained(bot);
      const quiet = await measure(bot, messages, { rate: 0, backlog: BACKLOG, seconds: SECONDS });
      await drained(bot);
      const busy = await measure(bot, messages, { rate: RATE, backlog: BACKLOG, seconds: SECONDS });
      await drained(bot);
      const flooded = await measure(bot, messages, { rate: FLOOD, backlog: 0, seconds: SECONDS });
      await bot.close();
      rounds.push({ quiet, busy, flooded });
      say(
        `round ${number + 1}: ${line("quiet", quiet)}; ${line("1,000/s", busy)}; ${line("3,000/s", flooded)}`,
      );
    }
    const lasting = await lastingFlood(say);
    const replies = (name: "quiet" | "busy" | "flooded") =>
      spreadOf(rounds.map((round) => round[name].repliesPerSecond));
    const ratio = (name: "busy" | "flooded") =>
      spreadOf(rounds.map((round) => round[name].repliesPerSecond / round.quiet.repliesPerSecond));
    const shed = (name: "busy" | "flooded") => spreadOf(rounds.map((round) => round[name].shed));
    const cpu = (name: "quiet" | "busy" | "flooded") =>
      spreadOf(rounds.map((round) => round[name].cpuUs));
    const row = (title: string, name: "busy" | "flooded") => [
      title,
      spreadText(replies(name)),
      spreadText(ratio(name), 2),
      spreadText(shed(name)),
      spreadText(cpu(name)),
    ];
    return {
      figures: {
        replies_per_s: Math.round(replies("quiet").median),
        cpu_us_per_reply: Math.round(cpu("quiet").median),
        answering_ratio: round2(ratio("busy").median),
        flooded_ratio: round2(ratio("flooded").median),
        flooded_shed: shed("flooded").median,
        flood_shed: lasting.shed,
        flood_rss_mb: lasting.rssMb,
        flood_lag_s: lasting.lagS,
        flood_replies_per_s: Math.round(lasting.repliesPerSecond),
      },
      table: [
        [
          "out of a backlog",
          "replies/s (min–max)",
          "ratio",
          "answered 503",
          "processor µs a reply",
        ],
        ["nothing comes in", spreadText(replies("quiet")), "", "", spreadText(cpu("quiet"))],
        row("1,000 deliveries a second", "busy"),
        row("3,000 deliveries a second", "flooded"),
      ],
    };
  },
};

/** Floods a separate bot for `FLOOD_SECONDS` with more deliveries than it can answer. */
async function lastingFlood(say: (line: string) => void): Promise<Flooded> {
  const bot = await startBot();
  const messages = numbering(900_000_000);
  await measure(bot, messages, { rate: 0, backlog: 1_000, seconds: 1 });
  await drained(bot);
  const lasting = await flood(bot, { rate: FLOOD, seconds: FLOOD_SECONDS, messages });
  await bot.close();
  say(
    `${FLOOD_SECONDS} s at 3,000/s: ${lasting.acknowledged} acknowledged, ${lasting.shed} shed, ` +
      `${lasting.rssMb} MiB, lag ${lasting.lagS} s, ${Math.round(lasting.repliesPerSecond)} replies/s`,
  );
  return lasting;
}

function line(name: string, seen: While): string {
  const [replies = 0, acknowledged = 0, cpu = 0] = [
    seen.repliesPerSecond,
    seen.acknowledgedPerSecond,
    seen.cpuUs,
  ].map((value) => Math.round(value));
  return `${name} ${replies} replies/s at ${cpu} µs (${acknowledged} acknowledged/s, ${seen.shed} shed)`;
}

/** Returns a function that creates requests with new, ascending ids. */
function numbering(first: number): (count: number) => Buffer[] {
  let next = first;
  return (count) => Array.from({ length: count }, () => delivery(next, String(next++)));
}

interface Measurement {
  readonly rate: number;
  readonly backlog: number;
  readonly seconds: number;
}

/** Delivers the backlog, then counts replies while deliveries come at `rate`. */
async function measure(
  { platform, deliverer, cpuMs }: BenchBot,
  messages: (count: number) => Buffer[],
  { rate, backlog, seconds }: Measurement,
): Promise<While> {
  const waiting = messages(backlog);
  const coming = messages(rate * seconds);
  await Promise.all(waiting.map((request) => deliverer.send(request)));
  let replies = 0;
  let acknowledged = 0;
  let shed = 0;
  const count = async (status: Promise<number>): Promise<void> => {
    if ((await status) === 200) acknowledged += 1;
    else shed += 1;
  };
  platform.onReply = () => (replies += 1);
  const cpuBefore = cpuMs();
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1_000;
  for (let sent = 0; elapsed() < seconds;) {
    const due = Math.min(coming.length, Math.floor(elapsed() * rate));
    for (; sent < due; sent++) {
      const request = coming[sent];
      if (request === undefined) break;
      void count(deliverer.send(request));
    }
    await delay(5);
  }
  const took = elapsed();
  const cpuUs = ((cpuMs() - cpuBefore) * 1_000) / replies;
  platform.onReply = () => {};
  return {
    repliesPerSecond: replies / took,
    acknowledgedPerSecond: acknowledged / took,
    shed,
    cpuUs,
  };
}

/** Resolves when the bot has answered every accepted message. */
async function drained(bot: BenchBot): Promise<void> {
  for (;;) {
    const { inbox, items } = (await bot.state()).store;
    if (inbox + (items["pending"] ?? 0) + (items["sending"] ?? 0) === 0) return;
    await delay(100);
  }
}
