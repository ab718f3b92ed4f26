import { setTimeout as delay } from "node:timers/promises";
import { delivery } from "../answering/deliverer.ts";
import { startBot } from "../answering/bot.ts";
import type { Benchmark } from "../main.ts";
import { quantile, round2, spreadOf, spreadText, wholeNumber } from "../numbers.ts";
import { slowSync } from "../slow-sync.ts";

const ROUNDS = wholeNumber("ROUNDS", 3);
const WARM_UP = 200;
const MESSAGES = 800;
/** Messages per second: enough that messages overlap, and far below the maximum. */
const RATE = 100;

/**
 * Measures the time from the last byte of a message's delivery to the complete request of its answer at the platform.
 * This time includes the signature check, the journal with a device sync, the decision with a second sync, and the mark
 * `sending` with a third.
 */
export const latency: Benchmark = {
  name: "latency",
  about: "from a delivery to the request that answers it, through the whole runtime",
  async run(say) {
    const slow = await slowSync();
    if ("why" in slow) say(`without the slow disk: ${slow.why}`);
    const fast = await rounds(say, {});
    const slowed = "path" in slow ? await rounds(say, { preload: slow.path }) : undefined;
    return {
      figures: {
        p50_ms: fast.p50.median,
        p99_ms: fast.p99.median,
        ack_p50_ms: fast.ack50.median,
        ...(slowed && { slow_disk_p50_ms: slowed.p50.median, slow_disk_p99_ms: slowed.p99.median }),
      },
      table: [
        [`${RATE} messages a second`, "p50 ms", "p99 ms"],
        ["to the acknowledgement", spreadText(fast.ack50, 1), spreadText(fast.ack99, 1)],
        ["to the answer's request", spreadText(fast.p50, 1), spreadText(fast.p99, 1)],
        ...(slowed
          ? [
              [
                "the same, 3 ms more a device sync",
                spreadText(slowed.p50, 1),
                spreadText(slowed.p99, 1),
              ],
            ]
          : []),
      ],
    };
  },
};

async function rounds(say: (line: string) => void, options: { readonly preload?: string }) {
  const all: Awaited<ReturnType<typeof round>>[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const one = await round(options, i);
    all.push(one);
    say(`round ${i + 1}: p50 ${one.p50} ms, p99 ${one.p99} ms; acknowledged p50 ${one.ack50} ms`);
  }
  return {
    p50: spreadOf(all.map(({ p50 }) => p50)),
    p99: spreadOf(all.map(({ p99 }) => p99)),
    ack50: spreadOf(all.map(({ ack50 }) => ack50)),
    ack99: spreadOf(all.map(({ ack99 }) => ack99)),
  };
}

async function round(options: { readonly preload?: string }, number: number) {
  const bot = await startBot(options);
  const sentAt = new Map<string, number>();
  const answers: number[] = [];
  const acknowledged: number[] = [];
  const refused: number[] = [];
  bot.platform.onReply = (person) => {
    answers.push(performance.now() - (sentAt.get(person) ?? Number.NaN));
  };
  const deliver = async (request: Buffer, sent: number): Promise<void> => {
    const status = await bot.deliverer.send(request);
    if (status !== 200) refused.push(status);
    acknowledged.push(performance.now() - sent);
  };
  const first = 20_000_000 + number * (WARM_UP + MESSAGES);
  const started = performance.now();
  for (let i = 0; i < WARM_UP + MESSAGES; i++) {
    const request = delivery(first + i, String(first + i));
    const wait = started + (i * 1_000) / RATE - performance.now();
    if (wait > 0) await delay(wait);
    const now = performance.now();
    sentAt.set(String(first + i), now);
    void deliver(request, now);
  }
  for (let tries = 0; answers.length < WARM_UP + MESSAGES && tries < 300; tries++) await delay(100);
  const state = await bot.state();
  await bot.close();
  if (answers.length < WARM_UP + MESSAGES) {
    throw new Error(
      `${answers.length} of ${WARM_UP + MESSAGES} messages were answered, ${acknowledged.length} acknowledged, refused with ${refused.join(", ") || "nothing"}: ${JSON.stringify(state)}`,
    );
  }
  const measured = answers.slice(WARM_UP);
  const acks = acknowledged.slice(WARM_UP);
  return {
    p50: round2(quantile(measured, 0.5)),
    p99: round2(quantile(measured, 0.99)),
    ack50: round2(quantile(acks, 0.5)),
    ack99: round2(quantile(acks, 0.99)),
  };
}
