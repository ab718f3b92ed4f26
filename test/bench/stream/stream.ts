import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "../../../src/client/create-client.ts";
import type { StreamGap } from "../../../src/client/streaming/gap.ts";
import { ControlClient, type FaultSpec, type StreamStrike } from "../../../src/sandbox/index.ts";
import { startChild } from "../child.ts";
import type { Benchmark } from "../main.ts";
import { quantile, round2, wholeNumber } from "../numbers.ts";

const SECONDS = wholeNumber("SECONDS", 20);
/** Posts a second; every second one matches a rule. */
const RATE = wholeNumber("RATE", 1_000);
const WRITERS = 16;
/** Number of rules besides those that match. */
const OTHER_RULES = 20;
/** Faults of the stream, one each second in turn. */
const STRIKES: readonly StreamStrike["type"][] = ["cut", "end", "disconnect", "cut", "stall"];
/**
 * Number of the fault after which the platform also refuses the next connection once. The reconnect then takes five
 * seconds.
 */
const REFUSED_AT = 7;
/**
 * Milliseconds of silence after which the connection counts as broken. With a thousand posts a second, one second is
 * enough.
 */
const STALL_AFTER_MS = 1_000;
/** Maximum milliseconds for the last posts to arrive. */
const REST_MS = 30_000;

/**
 * Follows a filtered stream of a sandbox in another process. Posts come at a steady rate, and the connection breaks
 * every second in one of several ways. Checks that every matching post is delivered exactly once.
 */
export const stream: Benchmark = {
  name: "stream",
  about: "a filtered stream at 1,000 posts a second whose connection breaks every second",
  async run(say) {
    const child = startChild({ file: fileURLToPath(new URL("child-sandbox.ts", import.meta.url)) });
    const url = await child.line();
    const control = new ControlClient(`${url}/_sandbox`, "bench");
    const { bearer_token: bearerToken } = await control.app();
    const app = createClient({ baseUrl: url, credentials: { type: "bearer", bearerToken } });
    const others = Array.from({ length: OTHER_RULES }, (_, n) => `nobody${n} -somebody`);
    await app.filteredStream.addRules([{ value: "streamed", tag: "bench" }, ...others]);
    const follower = follow(app.filteredStream);
    await follower.connected;
    const written = await write(control, follower.writtenAt, say);
    const seen = await rest(follower.seen, written.matching);
    const cpu = child.cpuMs();
    await app.close();
    await follower.over;
    await child.kill();
    return report(written, { ...follower, count: seen, cpu });
  },
};

/** Follows the stream, and counts the deliveries of each post. */
function follow(
  resource: ReturnType<
    typeof createClient<{ type: "bearer"; bearerToken: string }>
  >["filteredStream"],
) {
  const seen = new Map<string, number>();
  const writtenAt = new Map<string, number>();
  const latencies: number[] = [];
  const gaps: StreamGap[] = [];
  let connections = 0;
  let onConnected = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    onConnected = resolve;
  });
  const run = async (): Promise<void> => {
    const posts = resource.posts({
      stallAfterMs: STALL_AFTER_MS,
      onConnect: () => {
        connections += 1;
        onConnected();
      },
      onGap: (gap) => void gaps.push(gap),
    });
    for await (const { data } of posts) {
      seen.set(data.text, (seen.get(data.text) ?? 0) + 1);
      latencies.push(performance.now() - (writtenAt.get(data.text) ?? Number.NaN));
    }
  };
  const over = run();
  return { seen, writtenAt, latencies, gaps, connected, over, connections: () => connections };
}

const REFUSAL: FaultSpec = {
  match: { direction: "request", path: "/2/posts/search/stream" },
  fault: { type: "status", status: 503 },
};

/** Writes posts at the rate, while the connection breaks. */
async function write(
  control: ControlClient,
  writtenAt: Map<string, number>,
  say: (line: string) => void,
): Promise<{ posts: number; matching: number; seconds: number }> {
  const authors = await Promise.all(
    Array.from({ length: WRITERS }, (_, n) => control.user(`writer${n}`)),
  );
  const started = performance.now();
  const posts = RATE * SECONDS;
  let next = 0;
  const writer = async (author: string): Promise<void> => {
    for (let n = next++; n < posts; n = next++) {
      const wait = started + (n * 1_000) / RATE - performance.now();
      if (wait > 1) await delay(wait);
      const text = `${n % 2 === 0 ? "streamed" : "other"} ${n}`;
      writtenAt.set(text, performance.now());
      await control.act(author, { type: "post", text });
    }
  };
  let strikes = 0;
  const strike = async (): Promise<void> => {
    const type = STRIKES[strikes % STRIKES.length] ?? "cut";
    strikes += 1;
    if (strikes === REFUSED_AT) await control.addFault(REFUSAL);
    const struck = await control.strikeStreams({ type });
    if (struck > 0) say(`${strikes} ${type}`);
  };
  const striking = setInterval(() => void strike(), 1_000);
  await Promise.all(authors.map(writer));
  clearInterval(striking);
  const seconds = (performance.now() - started) / 1_000;
  return { posts, matching: Math.ceil(posts / 2), seconds };
}

/** Waits for matching posts that have not arrived yet, and returns the number of posts that have. */
async function rest(seen: ReadonlyMap<string, number>, matching: number): Promise<number> {
  const until = performance.now() + REST_MS;
  while (seen.size < matching && performance.now() < until) await delay(50);
  // Time for duplicates, which arrive soon after the original.
  await delay(1_000);
  return seen.size;
}

function report(
  { posts, matching, seconds }: { posts: number; matching: number; seconds: number },
  {
    seen,
    gaps,
    latencies,
    connections,
    count,
    cpu,
  }: Pick<ReturnType<typeof follow>, "seen" | "gaps" | "latencies" | "connections"> & {
    count: number;
    cpu: number;
  },
) {
  const doubled = [...seen.values()].filter((times) => times > 1).length;
  const filled = gaps.filter((gap) => gap.filled).length;
  const figures = {
    posts,
    matching,
    seen: count,
    doubled,
    missed: matching - count,
    gaps: gaps.length,
    gaps_filled: filled,
    rate: Math.round(posts / seconds),
    connections: connections(),
    p50_ms: round2(quantile(latencies, 0.5)),
    sandbox_cpu_s: round2(cpu / 1_000),
  };
  const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
  return { figures, table: [["a filtered stream", ""], ...rows] };
}
