import { describe, expect, it, test } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import { countReached } from "../../../src/events/kinds/count.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { endOf, play } from "../support/playing.ts";

const NOW = 1_000_000_000_000;
const event = { ...messageReceived({ id: "5001", senderId: "200", recipientId: "100" }), at: NOW };
const SENDER = "state/100/person/200";

const problemsOf = (rule: string) =>
  compile([
    { path: "a.yaml", text: `version: 1\nrules: [{id: a, triggers: [dm.received], ${rule}}]` },
  ]).problems;
const withCondition = (condition: string) =>
  rulesetOf(
    `rules: [{id: a, triggers: [dm.received], conditions: [${condition}], actions: [{log: hi}]}]`,
  );
const matches = (condition: string, state: Readonly<Record<string, Json>>) => {
  const read = (key: string) => state[key];
  return decide(event, withCondition(condition), { now: NOW, read }).runs.length === 1;
};

describe("a condition on state", () => {
  test.each([
    { condition: "{state.sender.tier: gold}", stored: "Gold", holds: true },
    { condition: "{state.sender.tier: {in: [gold, silver]}}", stored: "iron", holds: false },
    { condition: "{state.sender.tier: {gte: 3}}", stored: 3, holds: true },
    { condition: "{state.sender.tier: {lt: 3}}", stored: 3, holds: false },
    { condition: "{state.sender.tier: true}", stored: true, holds: true },
    { condition: "{state.sender.tier: {gte: 3}}", stored: "3", holds: false },
    { condition: "{state.sender.tier: {contains: b}}", stored: ["a", "b"], holds: true },
    {
      condition: "{state.sender.tier: {older_than: 7d}}",
      stored: "2001-01-01T00:00:00Z",
      holds: true,
    },
    { condition: "{state.sender.tier: {older_than: 7d}}", stored: "soon", holds: false },
    {
      condition: "{if: 'has(state.sender.tier) && state.sender.tier == 3'}",
      stored: 3,
      holds: true,
    },
    { condition: "{if: 'state.sender.tier.orValue(0) == 3'}", stored: 3, holds: true },
  ])("$condition is $holds for the value $stored", ({ condition, stored, holds }) => {
    expect(matches(condition, { [`${SENDER}/tier`]: stored })).toBe(holds);
  });

  test.each([
    "{if: 'state.sender.score == 9007199254740993'}",
    "{if: 'state.sender.score > 5'}",
    "{state.sender.score: {gt: 5}}",
  ])("%s holds for an integer beyond 2^53, which is stored as text", (condition) => {
    const set = rulesetOf(
      `state: {sender.score: 0}\nrules: [{id: a, triggers: [dm.received], conditions: [${condition}], actions: [{log: hi}]}]`,
    );
    const stored: Readonly<Record<string, Json>> = { [`${SENDER}/score`]: "9007199254740993" };

    expect(decide(event, set, { now: NOW, read: (key) => stored[key] }).runs).toHaveLength(1);
  });

  test.each([
    { condition: "{state.sender.tier: gold}", holds: false },
    { condition: "{not: {state.sender.tier: gold}}", holds: true },
    { condition: "{state.sender.tier: {exists: false}}", holds: true },
    { condition: "{state.sender.tier: {lt: 3}}", holds: false },
    { condition: "{if: 'has(state.sender.tier)'}", holds: false },
    { condition: "{if: 'state.sender.tier.orValue(1) == 1'}", holds: true },
    {
      condition: "{if: 'state.sender.a.orValue(state.sender.b.orValue(7)) == 7'}",
      holds: true,
    },
  ])("$condition is $holds for an absent value", ({ condition, holds }) => {
    expect(matches(condition, {})).toBe(holds);
  });

  it("reads the value of the owner that it names", () => {
    const stored = {
      "state/100/tier": "a",
      "state/100/lane/100/200/tier": "b",
      [`${SENDER}/tier`]: "c",
    };

    expect(matches("{state.account.tier: a}", stored)).toBe(true);
    expect(matches("{state.conversation.tier: b}", stored)).toBe(true);
    expect(matches("{state.sender.tier: c}", stored)).toBe(true);
  });

  it("requires only the keys of the rules that listen, and of their conditions", () => {
    const keys: string[] = [];
    const ruleset = rulesetOf(`rules:
      - {id: a, triggers: [dm.received], conditions: [{state.sender.x: 1}], actions: [{set: {state.sender.y: 1}}]}
      - {id: b, triggers: [dm.received], actions: [{set: {state.account.z: 1}}]}
      - {id: c, triggers: [post.mentioned], conditions: [{state.sender.w: 1}], actions: [{log: hi}]}`);
    decide(event, ruleset, { now: NOW, read: (key) => void keys.push(key) });

    expect(keys).toEqual([`${SENDER}/x`]);
  });
});

describe("labels and first contact", () => {
  test.each([
    { condition: "{sender.labels: {contains: VIP}}", labels: ["vip"], holds: true },
    { condition: "{not: {sender.labels: {contains: vip}}}", labels: [], holds: true },
    { condition: `{if: '"vip" in sender.labels'}`, labels: ["vip"], holds: true },
    { condition: "{if: 'size(sender.labels) == 0'}", labels: [], holds: true },
  ])("$condition is $holds for the labels $labels", ({ condition, labels, holds }) => {
    const stored: Readonly<Record<string, Json>> =
      labels.length > 0 ? { "labels/100/person/200": labels } : {};
    expect(matches(condition, stored)).toBe(holds);
  });

  test.each([
    { why: "nobody was met", met: {}, isNew: true },
    { why: "by this very event", met: { "met/100/person/200": event.key }, isNew: true },
    { why: "by another", met: { "met/100/person/200": "message:1" }, isNew: false },
  ])("a person is new ($isNew): $why", ({ met, isNew }) => {
    expect(matches("{sender.is_new: true}", met)).toBe(isNew);
    expect(matches("{if: sender.is_new}", met)).toBe(isNew);
  });
});

describe("reading state in an expression", () => {
  test.each([
    { expression: "state.sender.tier == 3", code: "may-be-absent" },
    { expression: "has(state.sender.a) && state.sender.tier == 3", code: "may-be-absent" },
    { expression: "state.sendr.tier.orValue(1) == 1", code: "unknown-field" },
    { expression: "size(state.sender) == 1", code: "unknown-field" },
  ])("is refused: $expression", ({ expression, code }) => {
    const problems = problemsOf(`conditions: [{if: '${expression}'}], actions: [{log: hi}]`);

    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(problems[0]?.help).toBeDefined();
  });

  it("is refused in a text, at its place", () => {
    const [problem, ...more] = problemsOf("actions: [{reply_dm: 'Hi ${{ state.sender.nick }}'}]");

    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      code: "may-be-absent",
      message: '"state.sender.nick" may be absent, and then this expression would fail',
      length: "state.sender.nick".length,
    });
  });
});

describe("set and label", () => {
  const writesOf = (steps: string, state: Readonly<Record<string, Json>> = {}) =>
    play(
      event,
      rulesetOf(`rules: [{id: a, triggers: [dm.received], actions: [${steps}]}]`),
      undefined,
      {
        now: NOW,
        read: (key) => state[key],
      },
    ).flatMap((next) => (next.kind === "remember" ? next.writes : []));

  it("store values with their types, under their owner, for the given time", () => {
    const set =
      "{set: {state.sender.n: 3, state.account.t: 'at ${{ now }}', state.sender.l: ['${{ 1 + 1 }}'], for: 1h}}";

    expect(writesOf(set)).toEqual([
      { key: `${SENDER}/n`, value: 3, expiresAt: NOW + 3_600_000 },
      { key: "state/100/t", value: "at 2001-09-09T01:46:40.000Z", expiresAt: NOW + 3_600_000 },
      { key: `${SENDER}/l`, value: [2], expiresAt: NOW + 3_600_000 },
    ]);
  });

  it("delete a value", () => {
    expect(writesOf("{set: {state.sender.n: null}}")).toEqual([
      { key: `${SENDER}/n`, value: undefined },
    ]);
  });

  test.each([
    { step: "{increment: state.sender.n}", stored: {}, value: 1 },
    { step: "{increment: state.sender.n}", stored: { [`${SENDER}/n`]: 41 }, value: 42 },
    { step: "{increment: {state.sender.n: 2}}", stored: { [`${SENDER}/n`]: -5 }, value: -3 },
    { step: "{increment: {state.sender.n: -0.5}}", stored: { [`${SENDER}/n`]: 2 }, value: 1.5 },
    { step: "{increment: {state.sender.n: '${{ 2 + 3 }}'}}", stored: {}, value: 5 },
    {
      step: "{increment: {state.sender.n: '${{ state.sender.n.orValue(1) }}'}}",
      stored: { [`${SENDER}/n`]: 4 },
      value: 8,
    },
  ])("add to a number: $step to $stored", ({ step, stored, value }) => {
    expect(writesOf(step, stored)).toEqual([{ key: `${SENDER}/n`, value }]);
  });

  it("add to several numbers, for the given time", () => {
    expect(writesOf("{increment: {state.sender.n: 1, state.account.m: 2, for: 1h}}")).toEqual([
      { key: `${SENDER}/n`, value: 1, expiresAt: NOW + 3_600_000 },
      { key: "state/100/m", value: 2, expiresAt: NOW + 3_600_000 },
    ]);
  });

  test.each([
    { stored: "3", by: "1", error: "state.sender.n is a text, and only a number can be added to" },
    { stored: [1], by: "1", error: "state.sender.n is a list" },
    { stored: true, by: "1", error: "state.sender.n is true" },
    { stored: Number.MAX_SAFE_INTEGER, by: "1", error: "would be past 9007199254740991" },
    { stored: 1, by: "'${{ sender.name }}'", error: "state.sender.n can't be increased by a text" },
    { stored: 1, by: "'${{ 9007199254740992 }}'", error: "9007199254740992 is past" },
  ])("fail if $stored and $by have no sum", ({ stored, by, error }) => {
    const steps = play(
      event,
      rulesetOf(
        `rules: [{id: a, triggers: [dm.received], actions: [{increment: {state.sender.n: ${by}}}, {reply_dm: done}]}]`,
      ),
      undefined,
      { now: NOW, read: (key) => (key === `${SENDER}/n` ? stored : undefined) },
    );

    expect(steps).toHaveLength(1);
    expect(endOf(steps)).toContain(`failed: actions[0]: `);
    expect(endOf(steps)).toContain(error);
  });

  test.each([
    { value: "${{ number(message.text) }}", why: "an integer" },
    { value: "${{ state.sender.n.orValue(0) + number(message.text) }}", why: "a sum" },
    { value: "${{ -number(message.text) }}", why: "a negative integer" },
    { value: "${{ [1, number(message.text)] }}", why: "an item of a list" },
    { value: { a: ["${{ number(message.text) }}"] }, why: "a part of a map" },
  ])("don't store an integer that would be read as a text: $why", ({ value }) => {
    const setTo = (text: string) => {
      const step = `{set: {state.sender.n: ${JSON.stringify(value)}}}`;
      const rule = `rules: [{id: a, triggers: [dm.received], actions: [${step}]}]`;
      return play({ ...event, message: { ...event.message, text } }, rulesetOf(rule));
    };

    expect(setTo("9007199254740991")[0]?.kind).toBe("remember");
    expect(endOf(setTo("9007199254740992"))).toMatch(
      /^failed: actions\[0\]: -?9007199254740992 is past 9007199254740991, the largest integer that can be stored$/,
    );
  });

  it("don't delete a value for a decimal that is too large", () => {
    const steps = play(
      event,
      rulesetOf(
        `rules: [{id: a, triggers: [dm.received], actions: [{set: {state.sender.n: "\${{ 1e308 * 10.0 }}"}}]}]`,
      ),
    );

    expect(endOf(steps)).toBe("failed: actions[0]: 1e308 * 10.0 gives nothing that can be shown");
  });

  it("add labels to the existing ones, and remove others", () => {
    const stored = { "labels/100/person/200": ["a", "b"] };

    expect(writesOf("{label: {add: [b, c], remove: [a, z]}}", stored)).toEqual([
      { key: "labels/100/person/200", value: ["b", "c"] },
    ]);
  });

  test.each([
    { step: "{set: {}}", code: "missing-key" },
    { step: "{set: {for: 7d}}", code: "missing-key" },
    { step: "{set: {sender.tier: 1}}", code: "unknown-key" },
    { step: "{set: {state.sendr.tier: 1}}", code: "unknown-field" },
    { step: "{set: {state.sender.a.b: 1}}", code: "unknown-field" },
    { step: "{set: {state.sender.a: '${{ secrets.KEY }}'}}", code: "secret-in-text" },
    { step: "{increment: {}}", code: "missing-key" },
    { step: "{increment: {for: 7d}}", code: "missing-key" },
    { step: "{increment: sender.tier}", code: "wrong-type" },
    { step: "{increment: {sender.tier: 1}}", code: "unknown-key" },
    { step: "{increment: state.sendr.tier}", code: "unknown-field" },
    { step: "{increment: {state.sender.a: one}}", code: "invalid-value" },
    { step: "{increment: {state.sender.a: '${{ secrets.KEY }}'}}", code: "secret-in-text" },
    { step: "{label: {}}", code: "missing-key" },
    { step: "{label: {add: []}}", code: "invalid-value" },
  ])("are refused: $step", ({ step, code }) => {
    expect(problemsOf(`actions: [${step}]`).map((problem) => problem.code)).toEqual([code]);
  });
});

describe("count", () => {
  const ruleset = rulesetOf(`rules:
      - {id: strike, triggers: [dm.received], actions: [{id: n, count: {name: abuse, window: 1h}}, {log: "\${{ steps.n.result }}"}]}
      - {id: third, triggers: [{trigger: count.reached, of: abuse, at: 3}], actions: [{log: "\${{ count.events }}"}]}`);
  const KEY = "count/abuse/100/person/200";
  const countOf = (stored: Json | undefined) => {
    const read = (key: string) => (key === KEY ? stored : undefined);
    return play(event, ruleset, undefined, { now: NOW, read }).find(
      ({ kind }) => kind === "remember",
    );
  };

  it("adds the event to those in the window, and returns their number", () => {
    const stored = [
      [NOW - 3_600_000, "message:1"],
      [NOW - 3_599_999, "message:2"],
    ];

    expect(countOf(stored)).toMatchObject({
      writes: [
        {
          key: KEY,
          value: [
            [NOW - 3_599_999, "message:2", "", 0],
            [NOW, event.key, expect.stringMatching(/^[0-9a-f]{14}$/), 0],
          ],
          expiresAt: NOW + 3_600_000,
        },
      ],
      result: 2,
      people: 1,
    });
    expect(countOf(stored)).not.toHaveProperty("counted");
    expect(countOf([stored[1] ?? []])).toMatchObject({
      counted: { name: "abuse", value: 2, events: ["message:2", event.key], people: 1 },
    });
    expect(countOf(undefined)).toMatchObject({ result: 1, counted: { value: 1 } });
  });

  test.each([
    { name: "abuse", value: 3, runs: ["third"] },
    { name: "abuse", value: 2, runs: [] },
    { name: "abuse", value: 4, runs: [] },
    { name: "other", value: 3, runs: [] },
  ])("$name at $value starts $runs", ({ name, value, runs }) => {
    const reached = countReached(event, "200", { name, value, events: ["message:1"] });

    expect(decide(reached, ruleset, { now: NOW }).runs.map(({ ruleId }) => ruleId)).toEqual(runs);
  });

  test.each([
    { rule: "triggers: [count.reached], actions: [stop]", code: "missing-key" },
    { rule: "triggers: [{trigger: count.reached, of: a}], actions: [stop]", code: "missing-key" },
    { rule: "triggers: [{trigger: dm.received, of: a}], actions: [stop]", code: "unknown-key" },
    { rule: "triggers: [dm.received], actions: [{count: {name: a}}]", code: "missing-key" },
    {
      rule: "triggers: [dm.received], actions: [{count: {name: a, window: 1h, per: rule}}]",
      code: "unknown-word",
    },
  ])("is refused: $rule", ({ rule, code }) => {
    const text = `version: 1\nrules: [{id: a, ${rule}}]`;
    const { problems } = compile([{ path: "a.yaml", text }]);

    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });
});
