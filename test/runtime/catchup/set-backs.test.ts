import { beforeEach, describe, expect, it } from "vitest";
import { type SetBacks, setBacks } from "../../../src/runtime/catchup/set-backs.ts";
import type { SetBack, ToldSetBack } from "../../../src/runtime/clock/clock.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 2, 12);

let now: number;
let real: number;
let reported: ToldSetBack[];
let seen: number;
let watch: SetBacks;
/** Set-backs that were dealt with, in milliseconds after noon. */
let dealt: number[][];

beforeEach(() => {
  [now, real, seen] = [NOON, 5_000, 0];
  [reported, dealt] = [[], []];
  watch = opened();
});

const opened = () =>
  setBacks({
    ledger: {
      seen: async () => seen,
      async saw(n) {
        seen = n;
      },
    },
    clock: { now: () => now, onJump: () => () => {}, setBacks: () => reported },
    monotonic: () => real,
  });

const deal = async ({ was, to }: SetBack): Promise<void> => void dealt.push([was, to].map(since));
const since = (at: number) => at - NOON;

/** Sets the clock back, or forward, after `passedMs` of real time. */
function move(ms: number, passedMs = 0): void {
  real += passedMs;
  now += ms;
}

describe("a set-back that the platform does not report", () => {
  it("is as long as the real time since the last check allows, and is dealt with once", async () => {
    move(-30 * MINUTE, 10_000);
    await watch.each(deal);
    await watch.each(deal);

    expect(dealt).toEqual([[10_000, -30 * MINUTE - 10_000]]);
  });

  it("is measured from the latest check", async () => {
    move(MINUTE, MINUTE);
    watch.look();
    move(-30 * MINUTE, 5_000);
    watch.look();
    move(MINUTE, MINUTE);
    await watch.each(deal);

    expect(dealt).toEqual([[MINUTE + 5_000, -29 * MINUTE - 5_000]]);
  });

  it("is over a second: less may come from the inexact reading of the clock", async () => {
    move(-1_000);
    await watch.each(deal);
    expect(dealt).toEqual([]);

    move(-1_001);
    await watch.each(deal);
    expect(dealt).toEqual([[-1_000, -2_001]]);
  });

  it("is dealt with again if that failed, before the later ones", async () => {
    move(-10 * MINUTE);
    watch.look();
    move(-20 * MINUTE);
    const failing = watch.each(() => Promise.reject(new Error("no space left")));
    await expect(failing).rejects.toThrow("no space left");
    await watch.each(deal);

    expect(dealt).toEqual([
      [0, -10 * MINUTE],
      [-10 * MINUTE, -30 * MINUTE],
    ]);
  });
});

describe("a set-back that the platform reports", () => {
  const report = (n: number, was: number, to: number): void => {
    reported = [...reported, { n, was: NOON + was * MINUTE, to: NOON + to * MINUTE }];
  };

  it("is dealt with once, with the reported times, also by a later process", async () => {
    for (const n of [1, 2]) {
      move(-10 * MINUTE, 1_000);
      report(n, 5 - n, -10 * n);
      await watch.each(deal);
    }
    await watch.each(deal);
    expect(dealt).toEqual([
      [4 * MINUTE, -10 * MINUTE],
      [3 * MINUTE, -20 * MINUTE],
    ]);
    expect(seen).toBe(2);

    watch = opened();
    await watch.each(deal);
    expect(dealt).toHaveLength(2);
  });

  it("from before the start is dealt with, and does not hide one that is not reported", async () => {
    report(1, 0, -10);
    watch = opened();
    move(-5 * MINUTE);
    await watch.each(deal);

    expect(dealt).toEqual([
      [0, -10 * MINUTE],
      [0, -5 * MINUTE],
    ]);
  });
});
