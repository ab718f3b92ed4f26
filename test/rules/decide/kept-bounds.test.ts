import { describe, expect, it, test } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import {
  decide,
  type DecideContext,
  explain,
  matching,
  stateKeys,
} from "../../../src/rules/decide/decide.ts";
import { holdersAsJson, holdersIn, LONGEST_KEY } from "../../../src/rules/decide/mode.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { MAX_VARIABLE } from "../../../src/rules/expression/value-size.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const HOUR = 60 * 60_000;
const event = messageReceived({ text: "A12" });
const NOW = event.at + 1_000;

const rule = (keys: string): Ruleset =>
  rulesetOf(`rules: [{id: a, triggers: [dm.received], ${keys}, actions: [{reply_dm: hi}]}]`);
const readOf =
  (stored: Readonly<Record<string, Json>>) =>
  (key: string): Json | undefined =>
    stored[key];
const decided = (ruleset: Ruleset, over: Partial<DecideContext> = {}) =>
  decide(event, ruleset, { now: NOW, ...over });
const verdict = (ruleset: Ruleset, over: Partial<DecideContext> = {}) =>
  explain(event, ruleset, { now: NOW, ...over })[0];

describe("a cooldown", () => {
  const cooling = rule("cooldown: {per: rule, for: 1h}");

  it("is stored for its duration, from the start of the run", () => {
    expect(decided(cooling).changes).toEqual([
      { key: "cooldown/a", value: NOW, expiresAt: NOW + HOUR },
    ]);
  });

  it("reports how long ago the rule ran, and how long it stays silent", () => {
    const ran = NOW - 60_000;

    expect(verdict(cooling, { read: readOf({ "cooldown/a": ran }) })).toMatchObject({
      reason: "cooldown",
      clause: { wanted: "once in 3600 s per rule", actual: "ran 60 s before" },
      until: ran + HOUR,
    });
    expect(verdict(cooling)).not.toHaveProperty("until");
    expect(verdict(cooling)).not.toHaveProperty("clause");
  });

  test.each([
    { ago: HOUR - 1, reason: "cooldown" },
    { ago: HOUR, reason: "matched" },
  ])("ends after exactly its duration: $ago ms after, $reason", ({ ago, reason }) => {
    expect(verdict(cooling, { read: readOf({ "cooldown/a": NOW - ago }) })).toMatchObject({
      reason,
    });
  });

  it("counts from the latest run, whatever the rule's id was then", () => {
    const renamed = rule("formerly: [b], cooldown: {per: rule, for: 1h}");
    const read = readOf({ "cooldown/a": NOW - 3 * HOUR, "cooldown/b": NOW - 1 });

    expect(verdict(renamed, { read })).toMatchObject({ reason: "cooldown" });
  });
});

describe("a limit with a message to the person", () => {
  const limited = rule("limit: {per: rule, max: 1, in: 1h, overflow: escalate}");
  const full: Readonly<Record<string, Json>> = { "limit/a": [NOW - 10] };

  it("sends the message once in its period", () => {
    const first = decided(limited, { read: readOf(full) });
    expect(first.overflows).toMatchObject([{ ruleId: "a" }]);
    expect(first.changes).toEqual([{ key: "overflow/a", value: NOW, expiresAt: NOW + HOUR }]);

    const overflowsAfter = (ago: number) =>
      decided(limited, { read: readOf({ ...full, "overflow/a": NOW - ago }) }).overflows.length;
    expect(overflowsAfter(HOUR - 1)).toBe(0);
    expect(overflowsAfter(HOUR)).toBe(1);
  });

  it("is stored until its last run no longer counts", () => {
    expect(decided(limited).changes).toEqual([
      { key: "limit/a", value: [NOW], expiresAt: NOW + HOUR },
    ]);
  });

  it("sends no message if it is set to drop", () => {
    const dropping = rule("limit: {per: rule, max: 1, in: 1h, overflow: drop}");

    expect(decided(dropping, { read: readOf(full) })).toMatchObject({ overflows: [], changes: [] });
  });
});

describe("the values read before a rule runs", () => {
  const keysOf = (ruleset: Ruleset): readonly string[] => {
    const work = matching(event, ruleset, { now: NOW });
    let piece = work.next();
    while (piece.done !== true) piece = work.next();
    return stateKeys(piece.value);
  };

  it("are its cooldown, its limit, whether people got the message, and the holder of its slot, for each of its ids", () => {
    const bounds =
      "formerly: [b], cooldown: {per: rule, for: 1h}, limit: {per: rule, max: 1, in: 1h, overflow: escalate}, mode: single";

    expect(keysOf(rule(bounds))).toEqual([
      "cooldown/a",
      "limit/a",
      "overflow/a",
      "cooldown/b",
      "limit/b",
      "overflow/b",
      "slot/a/100/person/200",
      "slot/b/100/person/200",
    ]);
  });

  it("are none if nothing limits it, or if it does not match", () => {
    expect(keysOf(rule("enabled: true"))).toEqual([]);
    expect(
      keysOf(rule("cooldown: {per: rule, for: 1h}, conditions: [{message.text: other}]")),
    ).toEqual([]);
  });
});

describe("a run that waits for its turn", () => {
  const queued = rule("mode: queued");
  const held = (name: string) => readOf({ [name]: [{ run: "7/rule:a", queues: false }] });

  it("waits for a day at most", () => {
    expect(decided(queued, { read: held("slot/a/100/person/200") }).runs).toMatchObject([
      { slot: "slot/a/100/person/200", queuedUntil: NOW + 24 * HOUR },
    ]);
    expect(decided(queued).runs[0]).not.toHaveProperty("queuedUntil");
  });

  it("waits for runs that began under a former id of the rule", () => {
    const renamed = rule("formerly: [b], mode: queued");

    expect(decided(renamed, { read: held("slot/b/100/person/200") }).runs).toMatchObject([
      { slot: "slot/b/100/person/200", queuedUntil: NOW + 24 * HOUR },
    ]);
  });

  it.each([
    { value: undefined, why: "nothing is kept" },
    { value: "7/rule:a", why: "it is no list" },
    {
      value: ["7/rule:a", null, ["7/rule:a"], { queues: true }, { run: 7 }],
      why: "none has a run",
    },
  ])("lists no holders if $why", ({ value }) => {
    expect(holdersIn(value)).toEqual([]);
  });

  it("lists the runs that hold the slot and those that wait", () => {
    const holders = [
      { run: "7/rule:a", queues: false },
      { run: "8/rule:a", queues: true },
    ];

    expect(holdersIn(holdersAsJson(holders))).toEqual(holders);
    expect(holdersIn([{ run: "9/rule:a" }])).toEqual([{ run: "9/rule:a", queues: false }]);
  });
});

describe("a rule while the bot is paused", () => {
  it("is silent, with this reason", () => {
    expect(verdict(rule("enabled: true"), { paused: "a person answers" })).toMatchObject({
      outcome: "skipped",
      reason: "paused",
      clause: { path: "interrupts", actual: "a person answers" },
    });
    expect(decided(rule("enabled: true"), { paused: "a person answers" }).runs).toEqual([]);
  });

  it("answers if it interrupts", () => {
    expect(verdict(rule("interrupts: true"), { paused: "a person answers" })).toMatchObject({
      reason: "matched",
    });
  });
});

describe("an account that a rule names", () => {
  test.each([
    { account: "2shop", username: "2shop", runs: true, why: "a handle may begin with a digit" },
    { account: "shop2", username: "shop2", runs: true, why: "and end with one" },
    { account: '"12"', username: "12", runs: false, why: "digits alone are an id" },
    { account: "shop", username: undefined, runs: true, why: "nobody knows the handle" },
  ])("$account is that of $username: $runs, since $why", ({ account, username, runs }) => {
    const author = username === undefined ? {} : { username };

    expect(decided(rule(`account: ${account}`), author).runs.length > 0).toBe(runs);
  });
});

describe("a rule's key", () => {
  test.each([
    { length: LONGEST_KEY, runs: 1 },
    { length: LONGEST_KEY + 1, runs: 0 },
  ])("of $length characters: $runs runs", ({ length, runs }) => {
    const long = messageReceived({ text: "x".repeat(length) });
    const keyed = rule("mode: single, key: '${{ message.text }}'");

    expect(decide(long, keyed, { now: NOW }).runs).toHaveLength(runs);
  });
});

describe("a variable", () => {
  const long = messageReceived({ text: "x".repeat(MAX_VARIABLE / 4 + 1) });
  const text = "${{ message.text }}";

  it("that is too large prevents the rule from running, with the reason", () => {
    const ruleset = rule(`variables: {fits: '${text}', four: '${text.repeat(4)}'}`);

    expect(decide(long, ruleset, { now: NOW }).runs).toEqual([]);
    expect(explain(long, ruleset, { now: NOW })[0]).toMatchObject({
      outcome: "no",
      reason: "expression-error",
      clause: {
        path: "variables.four",
        error: `a variable holds at most ${MAX_VARIABLE} characters`,
      },
    });
  });

  it("is visible to later variables and conditions, and to the run", () => {
    const ruleset = rule(
      "variables: {code: '${{ message.text }}', twice: '${{ vars.code }}${{ vars.code }}'}, conditions: [{if: vars.twice == 'A12A12'}]",
    );

    expect(decided(ruleset).runs).toMatchObject([{ vars: { code: "A12", twice: "A12A12" } }]);
  });
});

describe("the maximum age of an event", () => {
  test.each([
    { late: 60_000, reason: "matched" },
    { late: 60_001, reason: "too-old" },
  ])("$late ms: $reason", ({ late, reason }) => {
    expect(explain(event, rule("max_age: 1m"), { now: event.at + late })[0]).toMatchObject({
      reason,
    });
  });

  it("is shown in seconds", () => {
    expect(explain(event, rule("max_age: 1m"), { now: event.at + 90_000 })[0]).toMatchObject({
      clause: { path: "max_age", wanted: "at most 60 s old", actual: 90 },
    });
  });
});
