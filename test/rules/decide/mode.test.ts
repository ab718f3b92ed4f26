import { describe, expect, it, test } from "vitest";
import { decide, explain } from "../../../src/rules/decide/decide.ts";
import { admit, type Holder, type RunMode } from "../../../src/rules/decide/mode.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const running = (count: number): Holder[] =>
  Array.from({ length: count }, (_, n) => ({ run: `${n}/rule:a`, queues: false }));
const waiting = (count: number): Holder[] =>
  running(count).map(({ run }) => ({ run: `9${run}`, queues: true }));

describe("a further run of a rule", () => {
  const of = (mode: RunMode["mode"], holders: readonly Holder[], max = 2) => {
    const admission = admit({ mode, max }, holders);
    return typeof admission === "string" ? admission : admission.refused;
  };

  test.each([
    { mode: "single", under: 0, wait: 0, result: "starts", why: "none is under way" },
    { mode: "single", under: 1, wait: 0, result: "already-running", why: "one is under way" },
    { mode: "restart", under: 1, wait: 0, result: "starts", why: "that one ends" },
    { mode: "queued", under: 0, wait: 0, result: "starts", why: "none is under way" },
    { mode: "queued", under: 1, wait: 0, result: "queues", why: "one is under way" },
    { mode: "queued", under: 1, wait: 1, result: "queues", why: "there is room to wait" },
    { mode: "queued", under: 1, wait: 2, result: "queue-full", why: "two wait" },
    {
      mode: "queued",
      under: 0,
      wait: 1,
      result: "queues",
      why: "an earlier one is about to begin",
    },
    { mode: "single", under: 0, wait: 1, result: "starts", why: "one that waits is not under way" },
    { mode: "parallel", under: 1, wait: 2, result: "starts", why: "those that wait take no place" },
    { mode: "parallel", under: 1, wait: 0, result: "starts", why: "two may be under way" },
    { mode: "parallel", under: 2, wait: 0, result: "too-many-running", why: "two are under way" },
  ] as const)("with $mode, $under under way, $wait waiting: $result, since $why", (one) => {
    expect(of(one.mode, [...running(one.under), ...waiting(one.wait)])).toBe(one.result);
  });
});

describe("the refusal of a further run", () => {
  test.each([
    {
      mode: "queued",
      under: 1,
      wait: 2,
      wanted: "queued: at most 2 that wait",
      actual: "2 wait already",
    },
    {
      mode: "parallel",
      under: 2,
      wait: 1,
      wanted: "parallel: at most 2 at once",
      actual: "2 are under way",
    },
    {
      mode: "single",
      under: 1,
      wait: 0,
      wanted: "single: one at a time",
      actual: "0/rule:a is under way",
    },
  ] as const)("names the limit and the runs that reach it: $wanted", (one) => {
    expect(
      admit({ mode: one.mode, max: 2 }, [...running(one.under), ...waiting(one.wait)]),
    ).toMatchObject({ wanted: one.wanted, actual: one.actual });
  });
});

describe("a rule's key", () => {
  const redeem = (keys: string) =>
    rulesetOf(
      `rules: [{id: redeem, triggers: [dm.received], ${keys}, conditions: [{message.text: {matches: '(?P<code>[A-Z]\\d+)'}}], actions: [{reply_dm: hi}]}]`,
    );
  const slotOf = (keys: string, over: Parameters<typeof messageReceived>[0] = {}) => {
    const event = messageReceived({ text: "A12", ...over });
    return decide(event, redeem(keys), { now: event.at }).runs[0]?.slot;
  };

  it("is the sender by default", () => {
    expect(slotOf("mode: single")).toBe("slot/redeem/100/person/200");
  });

  it("can be computed from the message, so several people may share it", () => {
    expect(slotOf("mode: single, key: '${{ captures.code }}'")).toBe("slot/redeem/key/A12");
  });

  it("that is too long keeps the rule from running, with this reason", () => {
    const event = messageReceived({ text: `A1 ${"x".repeat(600)}` });
    const ruleset = redeem("mode: single, key: '${{ message.text }}'");

    expect(decide(event, ruleset, { now: event.at }).runs).toEqual([]);
    expect(explain(event, ruleset, { now: event.at })).toMatchObject([
      { outcome: "no", reason: "expression-error", clause: { path: "key" } },
    ]);
  });

  it("is named in the verdict on an event that started no run", () => {
    const event = messageReceived({ text: "A12" });
    const ruleset = redeem("mode: single, cooldown: {per: sender, for: 1h}");
    const read = (key: string) =>
      key.startsWith("slot/") ? [{ run: "7/rule:redeem", queues: false }] : undefined;
    const { runs, changes } = decide(event, ruleset, { now: event.at, read });

    expect({ runs, changes }).toEqual({ runs: [], changes: [] });
    expect(explain(event, ruleset, { now: event.at, read })).toMatchObject([
      {
        outcome: "skipped",
        reason: "already-running",
        clause: {
          path: "mode",
          wanted: "single: one at a time",
          actual: "7/rule:redeem is under way",
        },
      },
    ]);
  });
});
