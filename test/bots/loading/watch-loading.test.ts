import { describe, expect, it } from "vitest";
import { watchLoading, type LoadingLimits } from "../../../src/bots/loading/watch-loading.ts";
import type { ThreadUsage } from "../../../src/bots/watching/thread-usage.ts";
import { handTicking } from "../../support/hand-ticking.ts";

/** Starts to watch the load of a thread; `pass` lets time pass in which the thread uses a share of a processor. */
function watched(limits: LoadingLimits) {
  const { ticking, advance } = handTicking();
  let usage: ThreadUsage = { cpuMs: 0, isRunnable: true };
  const overdue: string[] = [];
  const watch = watchLoading(
    () => usage,
    limits,
    (what) => {
      overdue.push(what);
      watch.stop();
    },
    ticking,
  );
  return {
    watch,
    overdue,
    pass: (ms: number, share: number, isRunnable: boolean): void => {
      for (let passed = 0; passed < ms; passed += 100) {
        usage = { cpuMs: usage.cpuMs + 100 * share, isRunnable };
        advance(100);
      }
    },
  };
}

describe("a module that is loaded", () => {
  it.each([
    { ms: 600_000, share: 0.02, runs: true, is: [], why: "a busy machine gave it 12 s in 10 min" },
    { ms: 16_000, share: 1, runs: true, is: ["looping"], why: "it has had its 15 s" },
    { ms: 14_000, share: 1, runs: true, is: [], why: "it has not" },
    { ms: 600_000, share: 0, runs: false, is: ["waiting"], why: "it waits for something" },
    { ms: 14_000, share: 0, runs: false, is: [], why: "it may for a while" },
  ])("is overdue as $is after $ms ms: $why", ({ ms, share, runs, is }) => {
    const { watch, overdue, pass } = watched({ cpuMs: 15_000, waitMs: 15_000 });
    watch.begins();
    pass(ms, share, runs);

    expect(overdue).toEqual(is);
  });

  it.each([
    { ms: 600_000, share: 0.02, runs: true, spent: 12_000, why: "a busy machine gave it 12 s" },
    { ms: 10_000, share: 1, runs: true, spent: 10_000, why: "it ran" },
    { ms: 10_000, share: 0, runs: false, spent: 10_000, why: "it waited for something" },
    { ms: 10_000, share: 0.2, runs: false, spent: 10_000, why: "it ran and waited" },
  ])("has spent $spent ms of $ms ms on it: $why", ({ ms, share, runs, spent }) => {
    let spentMs = 0;
    const { watch, pass } = watched({ cpuMs: 15_000, onProgress: (part) => (spentMs += part) });
    watch.begins();
    pass(ms, share, runs);

    expect(Math.round(spentMs)).toBe(spent);
  });

  it("may wait without a limit if no limit is set", () => {
    const { watch, overdue, pass } = watched({ cpuMs: 15_000 });
    watch.begins();
    pass(3_600_000, 0, false);

    expect(overdue).toEqual([]);
  });

  it("is not charged for the module before it, nor for the start of the thread", () => {
    const { watch, overdue, pass } = watched({ cpuMs: 15_000 });
    pass(60_000, 1, true);
    watch.begins();
    pass(14_000, 1, true);
    watch.begins();
    pass(14_000, 1, true);

    expect(overdue).toEqual([]);
  });
});
