import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endingWith } from "../../src/system/ending.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

describe("an abort signal with a time limit", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("aborts after its time, with that reason", () => {
    const { signal } = endingWith([], 1_000);

    vi.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);

    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("aborts with the first of the other signals, with its reason, and leaves no timer", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { signal } = endingWith([first.signal, second.signal], 1_000);

    second.abort("second");
    first.abort("first");

    expect(signal.reason).toBe("second");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is aborted at once if one of the other signals is", () => {
    const { signal } = endingWith([new AbortController().signal, AbortSignal.abort("gone")], 1_000);

    expect(signal.reason).toBe("gone");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("aborts on request", () => {
    const ending = endingWith([], 1_000);

    ending.end();

    expect(ending.signal.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("never aborts once it is released", () => {
    const other = new AbortController();
    const ending = endingWith([other.signal], 1_000);

    ending.release();
    other.abort();
    vi.advanceTimersByTime(2_000);

    expect(ending.signal.aborted).toBe(false);
  });

  it("does not abort at once if the time is too long for a timer", () => {
    const { signal } = endingWith([], 2 ** 40);

    vi.advanceTimersByTime(60_000);

    expect(signal.aborted).toBe(false);
  });
});

describe("the timer of an ending", () => {
  it("survives a garbage collection if only its listener remains", async () => {
    const ended = new Promise<string>((resolve) => {
      endingWith([new AbortController().signal], 50).signal.addEventListener("abort", () =>
        resolve("ended"),
      );
    });
    collectGarbage();

    expect(await ended).toBe("ended");
  });
});
