import { describe, expect, it } from "vitest";
import { systemThreadId } from "../../../src/bots/watching/thread-priority.ts";
import { type ThreadUsage, threadUsage } from "../../../src/bots/watching/thread-usage.ts";
import { watchThread } from "../../../src/bots/watching/watch-thread.ts";

const STALL_MS = 2_000;
const TICK_MS = 100;

/** Watches a thread that never answers; `usage` returns its processor time at each tick. */
function silent(usage: (tick: number) => ThreadUsage | undefined) {
  let ticks = 0;
  let advance = (): void => {};
  let isEnded = false;
  const reports = {
    slowMs: undefined as number | undefined,
    stuckMs: undefined as number | undefined,
  };
  const watch = watchThread(
    {
      isBusy: () => true,
      ping: () => {},
      usage: () => usage(ticks),
      onSlow: () => (reports.slowMs ??= ticks * TICK_MS),
      onStuck: () => (reports.stuckMs ??= ticks * TICK_MS),
      onHoarding: () => {},
      stallMs: () => STALL_MS,
      memoryBytes: 2 ** 40,
    },
    (tick) => {
      advance = tick;
      return () => (isEnded = true);
    },
  );
  return {
    reports,
    watch,
    get isEnded() {
      return isEnded;
    },
    /** Advances time by `ms`. */
    forMs(ms: number) {
      for (const end = ticks + ms / TICK_MS; ticks < end;) {
        ticks += 1;
        advance();
      }
      return reports;
    },
  };
}

const running = (share: number) => (tick: number) => ({
  cpuMs: tick * TICK_MS * share,
  isRunnable: true,
});

describe("a thread that is silent", () => {
  it.each([
    { why: "it spins", usage: running(1), slowMs: 500, stuckMs: 2_200 },
    {
      why: "it waits for something that is no event",
      usage: () => ({ cpuMs: 0, isRunnable: false }),
      slowMs: 500,
      stuckMs: 2_200,
    },
    { why: "nobody can tell what it does", usage: () => undefined, slowMs: 500, stuckMs: 2_200 },
    { why: "it spins with half a processor", usage: running(0.5), slowMs: 900, stuckMs: 2_200 },
    {
      why: "it spins behind all others, and is given more time",
      usage: running(0.04),
      slowMs: 10_100,
      stuckMs: 12_700,
    },
  ])("is stuck when $why", ({ usage, slowMs, stuckMs }) => {
    expect(silent(usage).forMs(60_000)).toEqual({ slowMs, stuckMs });
  });

  it.each([
    { why: "the processor is never its", usage: running(0) },
    { why: "it is hardly ever its", usage: running(0.005) },
  ])("is not to blame when $why", ({ usage }) => {
    expect(silent(usage).forMs(60_000)).toEqual({ slowMs: undefined, stuckMs: undefined });
  });

  it("is probed again after a sign of life", () => {
    const thread = silent(running(1));
    thread.forMs(2_000);
    thread.watch.sign();

    expect(thread.forMs(2_000).stuckMs).toBeUndefined();
    thread.watch.stop();
    expect(thread.isEnded).toBe(true);
  });

  it("is charged with one tick if the watch itself was late", () => {
    const late = (tick: number) => ({ cpuMs: tick < 10 ? 0 : 60_000, isRunnable: true });

    expect(silent(late).forMs(60_000).stuckMs).toBeUndefined();
  });
});

describe("the system's data about a thread", { tags: ["linux"] }, () => {
  it("is the processor time that the thread has used", () => {
    const before = threadUsage(systemThreadId());
    const end = process.cpuUsage().user + 200_000;
    while (process.cpuUsage().user < end);
    const after = threadUsage(systemThreadId());

    expect(after?.isRunnable).toBe(true);
    expect((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)).toBeGreaterThan(50);
  });

  it("is undefined for a thread that does not exist", () => {
    expect(threadUsage(4_194_305)).toBeUndefined();
    expect(threadUsage(undefined)).toBeUndefined();
  });
});
