import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide, explain } from "../../../src/rules/decide/decide.ts";
import { allow } from "../../../src/rules/decide/limit.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const QUEUE = { max: 3, inMs: 10 * SECOND, overflow: "queue", expiresMs: 60 * SECOND } as const;

describe("a limit", () => {
  it("starts no more runs in any period than it allows, and delays none longer than necessary", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 8 * SECOND }), { maxLength: 40 });
    fc.assert(
      fc.property(gaps, (all) => {
        let [now, memory]: [number, Json] = [1_000_000, []];
        const starts: number[] = [];
        for (const gap of all) {
          now += gap;
          const allowed = allow(QUEUE, memory, now);
          if ("refused" in allowed) continue;
          memory = [...allowed.times];
          starts.push(allowed.startsAt);
          const isFree = starts.filter((at) => at > now - QUEUE.inMs).length <= QUEUE.max;
          expect(allowed.startsAt === now).toBe(isFree);
        }
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        const waits = starts.slice(QUEUE.max).map((at, index) => at - (starts[index] ?? at));
        expect(waits.every((wait) => wait >= QUEUE.inMs)).toBe(true);
      }),
    );
  });

  test.each([
    { why: "it says to drop", limit: { ...QUEUE, overflow: "drop" as const } },
    { why: "it would wait too long", limit: { ...QUEUE, expiresMs: 5 * SECOND } },
  ])("refuses a run above the limit: $why", ({ limit }) => {
    expect(allow(limit, [100_000, 100_001, 100_002], 100_003)).toHaveProperty("refused");
  });
});

describe("a limit whose runs wait", () => {
  const one = { ...QUEUE, max: 1 };

  test.each([
    { why: "exactly as long as it may", wait: 10 * SECOND, allowed: { startsAt: 110_000 } },
    { why: "a millisecond longer", wait: 10 * SECOND - 1, allowed: { refused: expect.anything() } },
  ])("delays one more run $why", ({ wait, allowed }) => {
    expect(allow({ ...one, expiresMs: wait }, [100_000], 100_000)).toMatchObject(allowed);
  });

  test.each([
    { why: "the last that has room", waiting: 999, allowed: { startsAt: expect.any(Number) } },
    { why: "one too many", waiting: 1_000, allowed: { refused: "1000 wait already" } },
  ])("allows this number of waiting runs: $why", ({ waiting, allowed }) => {
    const starts = Array.from({ length: 1 + waiting }, (_, place) => 100_000 + place * one.inMs);

    expect(allow({ ...one, expiresMs: Infinity }, starts, 100_000)).toMatchObject(allowed);
  });

  test.each([
    { why: "within its time", at: 100_001, allowed: { refused: "ran 1 time" } },
    { why: "no more", at: 100_000, allowed: { startsAt: 110_000 } },
  ])("counts an earlier run $why", ({ at, allowed }) => {
    expect(allow({ ...one, overflow: "drop" }, [at], 110_000)).toMatchObject(allowed);
  });
});

describe("a rule with a limit", () => {
  const rule = (limit: string) =>
    `rules: [{id: a, triggers: [dm.received], limit: ${limit}, actions: [{reply: hi}]}, {id: b, triggers: [dm.received], actions: [{reply: ho}]}]`;
  const decided = (limit: string, stored: Json) => {
    const event = messageReceived();
    const read = (key: string) => (key === "limit/a" ? stored : undefined);
    return decide(event, rulesetOf(rule(limit)), { now: event.at, read });
  };
  const { at } = messageReceived();

  it("starts and stores the time", () => {
    const { runs, changes } = decided("{max: 1, in: 1h}", []);

    expect(runs).toMatchObject([{ ruleId: "a" }]);
    expect(runs[0]).not.toHaveProperty("startsAt");
    expect(changes).toEqual([{ key: "limit/a", value: [at], expiresAt: at + 3_600_000 }]);
  });

  it("starts later if excess runs wait", () => {
    expect(decided("{max: 1, in: 1h}", [at - SECOND]).runs).toMatchObject([
      { ruleId: "a", startsAt: at - SECOND + 3_600_000 },
    ]);
  });

  it("keeps the times until the last waiting run has left the period", () => {
    const { changes } = decided("{max: 1, in: 1h, expires: 12h}", [
      at - SECOND,
      at + HOUR,
      at + 2 * HOUR,
    ]);

    const starts = [at - SECOND, at + HOUR, at + 2 * HOUR, at + 3 * HOUR];
    expect(changes).toEqual([{ key: "limit/a", value: starts, expiresAt: at + 4 * HOUR }]);
  });

  it("does not start if excess runs are dropped, still counts as its group's answer, and gives the reason", () => {
    const drop = "{max: 1, in: 1h, overflow: drop}";
    const { runs, changes } = decided(drop, [at - SECOND]);
    const read = (key: string) => (key === "limit/a" ? [at - SECOND] : undefined);
    const verdicts = explain(messageReceived(), rulesetOf(rule(drop)), { now: at, read });

    expect(runs).toEqual([]);
    expect(changes).toEqual([]);
    expect(verdicts).toMatchObject([
      {
        reason: "limit",
        clause: { wanted: "at most 1 time in 3600 s per rule", actual: "ran 1 time" },
      },
      { reason: "group-already-matched" },
    ]);
  });

  it("does not start if people get a message, and sends it once in the period", () => {
    const limit = "{max: 1, in: 1h, overflow: escalate, queue: trust-safety}";
    const first = decided(limit, [at - SECOND]);
    const read = (key: string) => (key === "limit/a" ? [at - SECOND] : at - 2 * SECOND);
    const second = decide(messageReceived(), rulesetOf(rule(limit)), { now: at, read });

    expect(first).toMatchObject({
      runs: [],
      changes: [{ key: "overflow/a", value: at, expiresAt: at + 3_600_000 }],
      overflows: [
        {
          ruleId: "a",
          handOver: {
            queue: "trust-safety",
            note: "a has run 1 time in 1 h, which is its limit: from now on it does not run until less is in that time",
          },
        },
      ],
    });
    expect(second).toMatchObject({ runs: [], changes: [], overflows: [] });
  });

  it.each([
    ["20s", "20 s"],
    ["90s", "1 min 30 s"],
    ["10m", "10 min"],
    ["2d", "2 d"],
  ])("names its period of %s in the message: %s", (period, words) => {
    const { overflows } = decided(`{max: 1, in: ${period}, overflow: escalate}`, [at - SECOND]);

    expect(overflows[0]?.handOver.note).toContain(`a has run 1 time in ${words}, which`);
  });

  test.each([
    { actions: "{escalate: {queue: trust-safety}}", queue: "trust-safety" },
    { actions: "{reply_dm: hi}", queue: "limits" },
  ])("sends $queue if the limit names no queue and the rule has $actions", ({ actions, queue }) => {
    const limit = "limit: {max: 1, in: 1h, overflow: escalate}";
    const text = `rules: [{id: a, triggers: [dm.received], ${limit}, actions: [${actions}]}]`;
    const read = (key: string) => (key === "limit/a" ? [at - SECOND] : undefined);
    const { overflows } = decide(messageReceived(), rulesetOf(text), { now: at, read });

    expect(overflows).toMatchObject([{ handOver: { queue } }]);
  });

  test.each([
    { limit: "{max: 0, in: 1h}", code: "invalid-value" },
    { limit: "{max: 1}", code: "missing-key" },
    { limit: "{max: 1, in: 1 hour}", code: "invalid-value" },
    { limit: "{max: 1, in: 1h, overflow: wait}", code: "unknown-word" },
  ])("is refused: $limit", ({ limit, code }) => {
    const { problems } = compile([{ path: "a.yaml", text: `version: 1\n${rule(limit)}` }]);

    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });
});

it("a limit refuses with the reason and the remaining time", () => {
  const dropping = { ...QUEUE, overflow: "drop" as const };

  expect(allow(dropping, [100_000, 100_001, 100_002], 100_003)).toEqual({ refused: "ran 3 times" });
  expect(allow({ ...QUEUE, expiresMs: 5 * SECOND }, [100_000, 100_001, 100_002], 100_003)).toEqual({
    refused: "would wait 10 s",
  });
});

it("a limit skips stored values that are no times, and times outside its period", () => {
  expect(allow(QUEUE, ["x", null, 90_000, 100_000], 100_001)).toEqual({
    startsAt: 100_001,
    times: [100_000, 100_001],
  });
  expect(allow(QUEUE, "damaged", 100_001)).toEqual({ startsAt: 100_001, times: [100_001] });
});

it("a rule with a limit stores its times until the last one is outside the period", () => {
  const rule =
    "limit: {per: rule, max: 2, in: 1h}, triggers: [dm.received], actions: [{reply_dm: hi}]";
  const event = messageReceived();
  const { changes } = decide(event, rulesetOf(`rules: [{id: a, ${rule}}]`), { now: event.at });

  expect(changes).toContainEqual(
    expect.objectContaining({ value: [event.at], expiresAt: event.at + 3_600_000 }),
  );
});
