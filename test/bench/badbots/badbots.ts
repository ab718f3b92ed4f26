import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { deliverer } from "../answering/deliverer.ts";
import { startPlatform } from "../answering/platform.ts";
import { startChild } from "../child.ts";
import { messageBody } from "../ingest/body.ts";
import { SECRET } from "../ingest/secret.ts";
import type { Benchmark } from "../main.ts";
import { quantile, round2, type Spread, spreadOf, spreadText, wholeNumber } from "../numbers.ts";

const ROUNDS = wholeNumber("ROUNDS", 3);
const WARM_UP = 100;
const MESSAGES = wholeNumber("MESSAGES", 600);
/** Messages per second: enough that messages overlap, and far below the maximum. */
const RATE = wholeNumber("RATE", 50);
const WEBHOOK = "https://bot.example/webhook";

/**
 * Load on the bad bot during the measurement: `people` people at a time send `word`, which makes it hang, loop or
 * allocate. In the cases named `none`, as many people send a word that nothing answers: the base for the comparison.
 */
const CASES = [
  { name: "none", people: 64, word: "Quiet" },
  { name: "none640", people: 640, word: "Quiet" },
  { name: "hang64", people: 64, word: "Hang!" },
  { name: "hang640", people: 640, word: "Hang!" },
  { name: "spin4", people: 4, word: "Spin!" },
  { name: "spin20", people: 20, word: "Spin!" },
  { name: "hog", people: 2, word: "Hoard" },
] as const;

type Case = (typeof CASES)[number];

const LABELS: Readonly<Record<string, string>> = {
  none: "64 others, no bad bot",
  none640: "640 others, no bad bot",
};

/** Latency of the other people's answers in milliseconds, and memory of the process. */
interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly rssMb: number;
}

/**
 * Measures the time from a message's delivery to the request that answers it, for people whom a rule or a good bot
 * answers. At the same time, other people make a bad bot of the same runtime hang, loop and allocate memory.
 */
export const badbots: Benchmark = {
  name: "badbots",
  about: "what others notice of a bot that hangs, spins or hoards memory",
  async run(say) {
    const all = new Map<string, Measured[]>(CASES.map(({ name }) => [name, []]));
    for (let i = 0; i < ROUNDS; i++) {
      // The cases take turns, so that other load of the machine affects all of them.
      for (const one of CASES) {
        const measured = await measure(one, i);
        all.get(one.name)?.push(measured);
        const { p50, p99, rssMb } = measured;
        say(`round ${i + 1}, ${one.name}: p50 ${p50} ms, p99 ${p99} ms, at most ${rssMb} MB`);
      }
    }
    const spread = (name: string, of: (one: Measured) => number): Spread =>
      spreadOf((all.get(name) ?? []).map(of));
    const p99 = (name: string): number => spread(name, (one) => one.p99).median;
    return {
      figures: {
        hang64_ratio: round2(p99("hang64") / p99("none")),
        hang640_ratio: round2(p99("hang640") / p99("none640")),
        spin4_ratio: round2(p99("spin4") / p99("none")),
        spin20_ratio: round2(p99("spin20") / p99("none")),
        hog_ratio: round2(p99("hog") / p99("none")),
        p99_ms: p99("none"),
        hog_rss_mb: spread("hog", (one) => one.rssMb).max,
      },
      table: [
        [`others, ${RATE} messages a second`, "p50 ms", "p99 ms", "most MB"],
        ...CASES.map(({ name }) => [
          LABELS[name] ?? name,
          spreadText(
            spread(name, (one) => one.p50),
            1,
          ),
          spreadText(
            spread(name, (one) => one.p99),
            1,
          ),
          spreadText(spread(name, (one) => one.rssMb)),
        ]),
      ],
    };
  },
};

async function measure({ name, people, word }: Case, round: number): Promise<Measured> {
  const platform = await startPlatform(WEBHOOK);
  const bots = ["well-behaved", ...(name.startsWith("none") ? [] : ["ill-behaved"])];
  const child = startChild({
    file: fileURLToPath(new URL("../answering/child-runtime.ts", import.meta.url)),
    args: [platform.url, WEBHOOK, "Rules", ...bots],
  });
  const port = Number((await child.line()).split(":").at(-1));
  const sender = deliverer(port, 64);
  const sentAt = new Map<string, number>();
  const answers: number[] = [];
  platform.onReply = (person) => {
    answers.push(performance.now() - (sentAt.get(person) ?? Number.NaN));
  };
  const first = 30_000_000 + round * 10_000;
  const total = WARM_UP + MESSAGES;
  const started = performance.now();
  for (let i = 0; i < total; i++) {
    const wait = started + (i * 1_000) / RATE - performance.now();
    if (wait > 0) await delay(wait);
    if (i === WARM_UP) {
      for (let bad = 0; bad < people; bad++) void sender.send(delivery(first + 5_000 + bad, word));
    }
    const request = delivery(first + i, i % 2 === 0 ? "Hello" : "Rules");
    sentAt.set(String(first + i), performance.now());
    void sender.send(request);
  }
  for (let tries = 0; answers.length < total && tries < 600; tries++) await delay(100);
  child.say("state");
  const { most }: { most: number } = JSON.parse(await child.line());
  sender.close();
  await child.kill();
  await platform.close();
  if (answers.length < total) throw new Error(`${answers.length} of ${total} were answered`);
  const measured = answers.slice(WARM_UP);
  return {
    p50: round2(quantile(measured, 0.5)),
    p99: round2(quantile(measured, 0.99)),
    rssMb: Math.round(most / 2 ** 20),
  };
}

/** Creates a signed message of a new person, with a text that begins with `word`. */
function delivery(id: number, word: string): Buffer {
  const body = JSON.stringify(messageBody(id, String(id), String(Date.now()))).replace(
    "Hello",
    word,
  );
  const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("base64")}`;
  return Buffer.from(
    `POST /webhook HTTP/1.1\r\nhost: bot.example\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n` +
      `x-platform-webhooks-signature: ${signature}\r\n\r\n${body}`,
  );
}
