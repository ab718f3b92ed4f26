import { expect, it } from "vitest";
import { BotLoads } from "../../../src/bots/loading/bot-loads.ts";
import { handTicking } from "../../support/hand-ticking.ts";

const PATIENCE_MS = 15_000;

/** Creates a thread that is loading until `finish` is called. */
function slowThread() {
  let finish = (): void => {};
  const loaded = new Promise<void>((resolve) => (finish = resolve));
  return { loadingMs: 0, bots: [], start: () => loaded, close: async () => {}, finish };
}

/** Starts threads. `isWaiting` returns whether the start is still waiting for one of them. */
function starting(...threads: readonly ReturnType<typeof slowThread>[]) {
  const { ticking, advance } = handTicking();
  const loads = new BotLoads({
    ticking,
    now: () => 0,
    patienceMs: PATIENCE_MS,
    thread: slowThread,
    onLate: () => {},
    tell: () => {},
    logged: new Map(),
  });
  let hasBegun = false;
  const files = new Map(threads.map((thread, at) => [thread, [`/bots/${at}.ts`]] as const));
  const begun = loads.begin(files, threads.length).then(() => (hasBegun = true));
  const isWaiting = async (): Promise<boolean> => {
    await new Promise((resolve) => setImmediate(resolve));
    return !hasBegun;
  };
  return { advance, isWaiting, begun };
}

it("waits for a thread without a processor, up to eight times its loading time", async () => {
  const starved = slowThread();
  const { advance, isWaiting } = starting(starved);
  starved.loadingMs = 2_000;
  advance(8 * PATIENCE_MS - 100);
  expect(await isWaiting()).toBe(true);

  advance(100);
  expect(await isWaiting()).toBe(false);
});

it("stops waiting for a thread that has used its loading time", async () => {
  const slow = slowThread();
  const { advance, isWaiting } = starting(slow);
  slow.loadingMs = PATIENCE_MS - 100;
  advance(100);
  expect(await isWaiting()).toBe(true);

  slow.loadingMs = PATIENCE_MS;
  advance(100);
  expect(await isWaiting()).toBe(false);
});

it("waits for the other threads after one that needed all of its loading time", async () => {
  const [heavy, other] = [slowThread(), slowThread()];
  const { advance, isWaiting, begun } = starting(heavy, other);
  heavy.loadingMs = PATIENCE_MS;
  heavy.finish();
  expect(await isWaiting()).toBe(true);
  advance(10_000);
  expect(await isWaiting()).toBe(true);

  other.finish();
  await begun;
});
