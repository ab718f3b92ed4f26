import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byAccountOf,
  type Gap,
  LONGEST_JOB_MS,
  NO_REPLAY,
  OVER_24_HOURS,
  planCatchup,
  replayReach,
} from "../../../src/runtime/catchup/plan.ts";
import { lengthOf, type Span, union, without } from "../../../src/system/spans.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 0, 2, 12);
/** A time that is not at a full minute. */
const MOMENT = NOW + 30_000;

/** Creates a gap that began and ended this many milliseconds before now. */
function gap(began: number, ended: number, account = "100"): Gap {
  return { account, from: NOW - began, to: NOW - ended };
}

const plan = (...gaps: readonly Gap[]) => planCatchup({ gaps, now: NOW, replays: true });

/** Converts spans to rounded minutes relative to now, such as `[-180, -60]`. */
const ago = (spans: readonly Span[]) =>
  spans.map(({ from, to }) => [from, to].map((at) => Math.round((at - NOW) / MINUTE)));

describe("values of accounts", () => {
  it("are grouped by account, in their order", () => {
    const [one, other, third] = [gap(9, 8), gap(7, 6, "101"), gap(5, 4)];

    expect(byAccountOf([one, other, third])).toEqual(
      new Map([
        ["100", [one, third]],
        ["101", [other]],
      ]),
    );
  });
});

describe("the plan of a catch-up", () => {
  it("replays a short outage in one job, which may begin before the outage", () => {
    expect(ago(plan(gap(28 * MINUTE, 18 * MINUTE)).jobs)).toEqual([[-32, -18]]);
  });

  it("waits until the end of a short outage is old enough", () => {
    const { jobs, tooRecent, nextAt } = plan(gap(10 * MINUTE, 0));

    expect(jobs).toEqual([]);
    expect(ago(tooRecent)).toEqual([[-10, 0]]);
    expect(ago([{ from: NOW, to: nextAt ?? 0 }])).toEqual([[0, 11]]);
  });

  it("replays a long outage two hours at a time, oldest first, and its end later", () => {
    const { jobs, tooRecent } = plan(gap(5 * HOUR, 0));

    expect(ago(jobs)).toEqual([
      [-300, -180],
      [-180, -60],
      [-60, -11],
    ]);
    expect(ago(tooRecent)).toEqual([[-11, 0]]);
  });

  it("replays the older part separately only if it is at least twenty minutes long", () => {
    const { latestTo } = replayReach(NOW);
    const partsOf = (ms: number) =>
      plan({ account: "100", from: latestTo - ms, to: NOW }).jobs.length;

    expect(partsOf(20 * MINUTE)).toBe(1);
    expect(partsOf(19 * MINUTE)).toBe(0);
  });

  it("waits for nothing if everything can be replayed now", () => {
    expect(plan(gap(3 * HOUR, 2 * HOUR))).not.toHaveProperty("nextAt");
    expect(plan()).toEqual({ jobs: [], tooRecent: [], beyond: [] });
  });

  it("covers simultaneous outages of several accounts with one job", () => {
    const { jobs } = plan(gap(200 * MINUTE, 190 * MINUTE), gap(150 * MINUTE, 120 * MINUTE, "101"));

    expect(ago(jobs)).toEqual([[-200, -120]]);
  });

  it("replays nothing older than 24 hours", () => {
    const { jobs, beyond } = plan(gap(30 * HOUR, 23 * HOUR));

    expect(ago(jobs)).toEqual([[-1439, -1380]]);
    expect(ago(beyond)).toEqual([[-1800, -1439]]);
    expect(beyond[0]?.reason).toBe(OVER_24_HOURS);
  });

  it("requests nothing if the platform offers no replay", () => {
    const { jobs, beyond } = planCatchup({
      gaps: [gap(3 * HOUR, HOUR)],
      now: NOW,
      replays: false,
    });

    expect(jobs).toEqual([]);
    expect(beyond).toEqual([{ ...gap(3 * HOUR, HOUR), reason: NO_REPLAY }]);
  });
});

/** Generates up to `most` outages of three accounts within the last hours. Their times are whole seconds before now. */
function outagesWithin(hours: number, longest: number, most: number) {
  return fc
    .array(
      fc.record({
        account: fc.constantFrom("100", "101", "102"),
        began: fc.integer({ min: 1, max: hours * 3_600 }),
        seconds: fc.integer({ min: 1, max: longest * 3_600 }),
      }),
      { minLength: 1, maxLength: most },
    )
    .map((drawn) =>
      drawn.map(({ account, began, seconds }): Gap => {
        const from = MOMENT - began * 1_000;
        return { account, from, to: Math.min(MOMENT, from + seconds * 1_000) };
      }),
    );
}

const outages = outagesWithin(30, 8, 12);
/** Generator of gaps, so few and short that a test can try every choice of replay windows. */
const recentOutages = outagesWithin(8, 2, 4);

const planAt = (gaps: readonly Gap[]) => planCatchup({ gaps, now: MOMENT, replays: true });

describe("any plan", () => {
  it("has legal jobs only, in order", () => {
    fc.assert(
      fc.property(outages, (gaps) => {
        const { jobs } = planAt(gaps);
        for (const { from, to } of jobs) {
          expect([from % MINUTE, to % MINUTE]).toEqual([0, 0]);
          expect(MOMENT - from).toBeGreaterThanOrEqual(31 * MINUTE);
          expect(MOMENT - to).toBeGreaterThanOrEqual(10 * MINUTE);
          expect(MOMENT - from).toBeLessThan(24 * HOUR);
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(LONGEST_JOB_MS);
        }
        expect(jobs.map(({ from }) => from)).toEqual(
          jobs.map(({ from }) => from).toSorted((a, b) => a - b),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("covers every moment of a gap", () => {
    fc.assert(
      fc.property(outages, (gaps) => {
        const { jobs, tooRecent, beyond } = planAt(gaps);
        for (const one of gaps) {
          const ownBeyond = beyond.filter(({ account }) => account === one.account);
          expect(without(one, [...jobs, ...tooRecent, ...ownBeyond])).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("reports a period as too old or too recent only if it is", () => {
    fc.assert(
      fc.property(outages, (gaps) => {
        const { tooRecent, nextAt, beyond } = planAt(gaps);
        const { oldest } = replayReach(MOMENT);
        for (const { to } of beyond) expect(to).toBeLessThanOrEqual(oldest);
        expect(nextAt === undefined).toBe(tooRecent.length === 0);
        if (nextAt === undefined) return;
        const later = planCatchup({ gaps, now: nextAt, replays: true });
        expect(later.tooRecent.length).toBeLessThan(tooRecent.length);
      }),
      { numRuns: 500 },
    );
  });

  it("has as few jobs as any choice of legal windows needs", () => {
    fc.assert(
      fc.property(recentOutages, (gaps) => {
        const { jobs, tooRecent } = planAt(gaps);
        const { oldest } = replayReach(MOMENT);
        const wanted = union(gaps)
          .flatMap((one) => without(one, [{ from: -Infinity, to: oldest }, ...tooRecent]))
          .flatMap(minutesOf);
        expect(jobs).toHaveLength(fewestWindows([...new Set(wanted)].toSorted((a, b) => a - b)));
        expect(lengthOf(jobs)).toBeLessThanOrEqual(jobs.length * LONGEST_JOB_MS);
      }),
      { numRuns: 150 },
    );
  });
});

function minutesOf({ from, to }: Span): number[] {
  const first = Math.floor(from / MINUTE);
  return Array.from({ length: Math.ceil(to / MINUTE) - first }, (_, n) => first + n);
}

/**
 * Computes the minimum number of windows that cover these minutes. It tries every legal window for the first uncovered
 * minute.
 */
function fewestWindows(wanted: readonly number[]): number {
  const nowMinute = Math.floor(MOMENT / MINUTE);
  const [latestFrom, latestTo] = [nowMinute - 32, nowMinute - 11];
  const fewest = new Map<number, number>();
  const from = (at: number): number => {
    const minute = wanted[at];
    if (minute === undefined) return 0;
    const cached = fewest.get(at);
    if (cached !== undefined) return cached;
    let best = Infinity;
    for (let start = minute - 119; start <= Math.min(minute, latestFrom); start++) {
      const end = Math.min(start + 120, latestTo);
      if (end <= minute) continue;
      const next = wanted.findIndex((one) => one >= end);
      best = Math.min(best, 1 + from(next < 0 ? wanted.length : next));
    }
    fewest.set(at, best);
    return best;
  };
  return from(0);
}
