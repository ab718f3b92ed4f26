import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { decide, type DecideContext, explain, matching } from "../../../src/rules/decide/decide.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { messageReceived } from "../../support/events.ts";

const HOUR = 3_600_000;
const WORDS = ["vip", "VIP ", "gold", "Straße", "STRASSE", "go", "注文", "é", "e\u0301"];
const OWNERS = ["sender", "conversation", "account"] as const;
/** Names of state values, by the type that conditions expect. Names that end in `d` are declared in the rule file. */
const NAMES = { number: ["n", "nd"], text: ["t", "td"], list: ["l", "ld"], boolean: ["b", "bd"] };

const word = fc.constantFrom(...WORDS);
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const number = fc.oneof(fc.integer({ min: -2, max: 4 }), fc.constantFrom(0.5, 1.5));
const owner = fc.constantFrom(...OWNERS);
const named = (names: readonly string[]) =>
  fc.tuple(owner, fc.constantFrom(...names)).map(([of, name]) => `state.${of}.${name}`);

const conditionOf = (names: readonly string[], tests: fc.Arbitrary<object>) =>
  fc.tuple(named(names), tests).map(([field, test]) => ({ [field]: test }));
const operator = (names: readonly string[], operand: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fc.constantFrom(...names), operand, fc.boolean())
    .map(([name, one, cased]) => ({ [name]: one, cased }));

/** Conditions on user state. */
const ofState = fc.oneof(
  conditionOf(
    NAMES.number,
    fc.oneof(
      fc
        .tuple(fc.constantFrom("gt", "gte", "lt", "lte", "equals"), number)
        .map(([name, limit]) => ({ [name]: limit })),
      fc.tuple(number, number).map(([gt, lt]) => ({ gt, lt })),
      fc.uniqueArray(number, { minLength: 1, maxLength: 3 }).map((all) => ({ in: all })),
    ),
  ),
  conditionOf(NAMES.text, fc.constantFrom({ older_than: "30m" }, { newer_than: "30m" })),
  conditionOf(
    [...NAMES.text, ...NAMES.list],
    fc.oneof(
      operator(["contains", "contains_word", "starts_with", "ends_with"], fc.oneof(word, words)),
      operator(["in", "contains_all", "contains_any"], words),
      operator(["equals"], word),
      fc.constantFrom("(?i)vip|gold", "g.{0,2}d$", "\\pL{6}").map((matches) => ({ matches })),
      fc.constantFrom("some", "any", "all").map((list) => ({ in_list: list })),
    ),
  ),
  fc.tuple(named(NAMES.boolean), fc.boolean()).map(([field, value]) => ({ [field]: value })),
  fc
    .tuple(named(Object.values(NAMES).flat()), fc.boolean())
    .map(([field, exists]) => ({ [field]: { exists } })),
  operator(["contains", "contains_any", "contains_all"], words).map((test) => ({
    "sender.labels": test,
  })),
  fc.boolean().map((isNew) => ({ "sender.is_new": isNew })),
);
const comparison = fc.constantFrom(">", ">=", "<", "<=", "==", "!=");
const integer = fc.integer({ min: -2, max: 4 });
const expression = fc.oneof(
  fc
    .tuple(named(["n"]), comparison, fc.constantFrom("1", "1.5"), integer)
    .map(
      ([field, compares, standIn, limit]) => `${field}.orValue(${standIn}) ${compares} ${limit}`,
    ),
  fc
    .tuple(named(["nd"]), comparison, fc.oneof(integer, fc.constant(1.5)))
    .map(([field, compares, limit]) => `${limit} ${compares} ${field}`),
  named(["t"]).map((field) => `has(${field}) && ${field} == "gold"`),
  named(["t", "n", "l", "b"]).map((field) => `has(${field})`),
  named(["t", "n", "l", "b"]).map((field) => `!has(${field})`),
  named(["t"]).map((field) => `${field}.orValue("") in ["vip", "go", ""]`),
  named(["ld"]).map((field) => `"vip" in ${field}`),
  named(["bd"]),
  named(["bd"]).map((field) => `!${field}`),
  named(["b"]).map((field) => `!${field}.orValue(true)`),
  fc.constantFrom('"vip" in sender.labels', "sender.is_new", "!sender.is_new"),
);
const ofExpressions = fc.oneof(
  expression.map((one) => ({ if: one })),
  fc
    .tuple(expression, fc.constantFrom("&&", "||"), expression)
    .map(([left, both, right]) => ({ if: `(${left}) ${both} (${right})` })),
);
const ofEvent = fc.oneof(
  word.map((one) => ({ text: { contains: one } })),
  fc.boolean().map((verified) => ({ "sender.verified": verified })),
);
const { condition } = fc.letrec<{ condition: unknown }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    { arbitrary: ofState, weight: 6 },
    { arbitrary: ofExpressions, weight: 3 },
    { arbitrary: ofEvent, weight: 1 },
    {
      arbitrary: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
      weight: 1,
    },
    {
      arbitrary: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
      weight: 1,
    },
    { arbitrary: tie("condition").map((not) => ({ not })), weight: 1 },
  ),
}));

/** Generator of rare settings, which stop a rule before its state is read or change the order of rules. */
const seldom = <T>(...values: readonly T[]) =>
  fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 7 },
    { arbitrary: fc.constantFrom(...values), weight: 1 },
  );
const ruleKeys = {
  stage: seldom("shadow", "draft"),
  enabled: seldom(false),
  group: fc.constantFrom("none", "none", "all", "g"),
  fallback: seldom(true),
  interrupts: seldom(true),
  account: seldom("100", "999", "somebody"),
  max_age: seldom("1h", "3h"),
  on_replay: fc.constantFrom("run", "run", "skip", "notify"),
  triggers: seldom(
    ["post.mentioned"],
    ["dm.received", "post.mentioned"],
    [{ trigger: "dm.received", direction: "outbound" }],
    [{ trigger: "dm.received", direction: "outbound" }, "post.mentioned"],
  ),
};
const rulesWith = (conditions: fc.Arbitrary<unknown>) =>
  fc.array(
    fc
      .record({ conditions: fc.array(conditions, { maxLength: 2 }), ...ruleKeys })
      // a fallback in no group is refused
      .map((rule) => (rule.group === "none" ? { ...rule, fallback: undefined } : rule)),
    { minLength: 4, maxLength: 12 },
  );

const DEFAULTS = { nd: 2, td: "gold", ld: ["vip"], bd: true };

function rulesetOf(rules: readonly Readonly<Record<string, unknown>>[]): Ruleset {
  const file = {
    version: 1,
    groups: { all: { match: "first" }, g: { match: "first" } },
    lists: {
      some: { match: "exact", entries: ["vip", "é"] },
      any: { match: "contains", entries: ["go", "ass"] },
      all: { match: "word", normalize: [], entries: ["a", "Straße"] },
    },
    state: Object.fromEntries(
      OWNERS.flatMap((of) =>
        Object.entries(DEFAULTS).map(([name, value]) => [`${of}.${name}`, value]),
      ),
    ),
    rules: rules.map(({ triggers = ["dm.received"], ...one }, index) => ({
      id: `r${index}`,
      triggers,
      actions: [{ log: "hi" }],
      ...one,
    })),
  };
  const compiled = compile([{ path: "a.yaml", text: JSON.stringify(file) }]);
  const errors = compiled.problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors[0]));
  return compiled.ruleset;
}

const event = messageReceived({ text: "a vip order" });
const SENDER = "100/person/200";
const PLACES = { sender: SENDER, conversation: `100/lane/${event.lane}`, account: "100" };
const VALUES: Readonly<Record<keyof typeof NAMES, fc.Arbitrary<Json>>> = {
  number,
  text: fc.oneof(
    {
      arbitrary: fc.array(word, { minLength: 1, maxLength: 2 }).map((both) => both.join(" ")),
      weight: 3,
    },
    fc.constantFrom(0, HOUR).map((ago) => new Date(event.at - ago).toISOString()),
  ),
  list: fc.array(word, { minLength: 1, maxLength: 3 }),
  boolean: fc.boolean(),
};
const odd = fc.constantFrom<Json>(null, { a: 1 }, ["vip", 1], "", "2", 2, "gold", ["gold"], true);

/** Generators of stored values, mostly of the expected type; an earlier rule may have stored another type. */
const storedValues: Readonly<Record<string, fc.Arbitrary<Json | undefined>>> = Object.fromEntries(
  OWNERS.flatMap((of) =>
    Object.entries(NAMES).flatMap(([type, names]) =>
      names.map((name): [string, fc.Arbitrary<Json | undefined>] => [
        `state/${PLACES[of]}/${name}`,
        fc.oneof(
          {
            arbitrary: Object.entries(VALUES).find(([one]) => one === type)?.[1] ?? odd,
            weight: 4,
          },
          { arbitrary: odd, weight: 1 },
          { arbitrary: fc.constant(undefined), weight: 2 },
        ),
      ]),
    ),
  ),
);
const state: fc.Arbitrary<Readonly<Record<string, Json | undefined>>> = fc.record({
  ...storedValues,
  [`labels/${SENDER}`]: fc.option(fc.array(word, { maxLength: 2 }), { nil: undefined }),
  [`met/${SENDER}`]: fc.constantFrom(undefined, event.key, "earlier"),
});

const arrival = fc.record({
  now: fc.constantFrom(event.at, event.at + 2 * HOUR),
  replayed: fc.constantFrom(false, false, true),
  paused: seldom("escalation 1"),
});

function contextOf(
  { now, replayed, paused }: { now: number; replayed: boolean; paused: string | undefined },
  read: (key: string) => Json | undefined,
): DecideContext {
  return { now, replayed, read, username: "bot", ...(paused !== undefined && { paused }) };
}

/** Matches rules against an event, loads state when a rule needs it, and records what was read. */
function loading(set: Ruleset, context: DecideContext) {
  const loaded = new Map<string, Json | undefined>();
  const noted: Record<string, Json> = {};
  let isUnread = false;
  let loads = 0;
  const work = matching(event, set, {
    ...context,
    read(key) {
      isUnread ||= !loaded.has(key);
      const stored = loaded.get(key);
      if (stored !== undefined) noted[key] = stored;
      return stored;
    },
    isUnread: () => isUnread,
  });
  let piece = work.next();
  for (; piece.done !== true; piece = work.next()) {
    const unknown = (piece.value ?? []).filter((key) => !loaded.has(key));
    if (unknown.length > 0) loads++;
    for (const key of unknown) loaded.set(key, context.read?.(key));
    if (piece.value !== undefined) isUnread = false;
  }
  return { matched: piece.value, loads, noted, isUnread };
}

describe("rules that user state selects", () => {
  it("have the verdicts that judging each rule gives", () => {
    let ran = 0;
    let ruledOut = 0;
    fc.assert(
      fc.property(
        rulesWith(condition),
        fc.array(fc.tuple(state, arrival), { minLength: 6, maxLength: 6 }),
        (rules, moments) => {
          const set = rulesetOf(rules);
          for (const [stored, came] of moments) {
            const context = contextOf(came, (key) => stored[key]);
            const decision = decide(event, set, context);
            const each = explain(event, set, context);
            const verdictOf = new Map(each.map((verdict) => [verdict.ruleId, verdict]));
            const order = decision.judged.map(({ rule }) => rule.id);

            expect(order).toEqual(
              each.map(({ ruleId }) => ruleId).filter((id) => order.includes(id)),
            );
            for (const { rule, outcome, reason } of decision.judged) {
              expect(verdictOf.get(rule.id)).toMatchObject({ outcome, reason });
            }
            expect(decision.runs.map(({ ruleId }) => ruleId)).toEqual(
              each.filter(({ outcome }) => outcome === "ran").map(({ ruleId }) => ruleId),
            );
            expect(order.length + decision.ruledOut).toBe(each.length);
            ran += decision.runs.length;
            ruledOut += decision.ruledOut;
          }
        },
      ),
      { numRuns: 70 },
    );
    // guards against a test without content: enough random rules must have run, and enough have been ruled out
    expect(ran).toBeGreaterThan(200);
    expect(ruledOut).toBeGreaterThan(700);
  });

  it.each([
    { condition: { if: '"vip" in state.sender.ld' }, name: "ld", value: ["vip", 1] },
    { condition: { if: '"vip" in state.sender.ld' }, name: "ld", value: { vip: 1 } },
    { condition: { if: "has(state.sender.l)" }, name: "l", value: ["vip", 1] },
    { condition: { if: "has(state.sender.l)" }, name: "l", value: { a: 1 } },
    { condition: { if: "!has(state.sender.l)" }, name: "l", value: undefined },
    { condition: { "state.sender.l": { exists: false } }, name: "l", value: { a: 1 } },
    { condition: { "state.sender.l": { exists: false } }, name: "l", value: undefined },
    { condition: { "state.sender.l": { exists: true } }, name: "l", value: ["vip"] },
    { condition: { if: "state.sender.n.orValue(3) > 2" }, name: "n", value: undefined },
    { condition: { if: "!state.sender.b.orValue(false)" }, name: "b", value: undefined },
    { condition: { if: "state.sender.nd == 1.0" }, name: "nd", value: 1 },
    { condition: { if: "2 > state.sender.nd" }, name: "nd", value: 1.5 },
  ])("run with $condition if the value is $value", ({ condition: one, name, value }) => {
    const set = rulesetOf([{ conditions: [one], group: "none" }]);
    const read = (key: string): Json | undefined =>
      key === `state/${SENDER}/${name}` ? value : undefined;

    const { judged, runs } = decide(event, set, { now: event.at, read });

    expect(runs.map(({ ruleId }) => ruleId)).toEqual(["r0"]);
    // the index has found the rule by the stored value
    expect(judged).toHaveLength(1);
  });

  it.each([
    { condition: { if: "has(state.sender.l)" }, value: undefined },
    { condition: { if: "!has(state.sender.l)" }, value: "vip" },
    { condition: { "state.sender.l": { older_than: "1h" } }, value: undefined },
    { condition: { "state.sender.l": { exists: false } }, value: "vip" },
    { condition: { "state.sender.l": { exists: true } }, value: undefined },
    { condition: { if: 'state.sender.l.orValue("") == "vip"' }, value: undefined },
    { condition: { if: "state.sender.l.orValue(3) > 4" }, value: undefined },
  ])("are not judged with $condition if the value is $value", ({ condition: one, value }) => {
    const set = rulesetOf([{ conditions: [one], group: "none" }]);

    const { judged } = decide(event, set, { now: event.at, read: () => value });

    expect(judged).toEqual([]);
  });

  it("have the reason of a rule that can't fit, also after another rule has answered", () => {
    const outbound = {
      group: "g",
      triggers: [{ trigger: "dm.received", direction: "outbound" }],
      conditions: [{ "state.sender.n": { gt: 1 } }],
    };
    const set = rulesetOf([outbound, { group: "g" }, outbound]);
    const context = { now: event.at, read: () => undefined };
    const reasons = ["not-own-event", "matched", "not-own-event"];

    expect(decide(event, set, context).judged.map(({ reason }) => reason)).toEqual(reasons);
    expect(explain(event, set, context).map(({ reason }) => reason)).toEqual(reasons);
  });

  it("have all state read once that explains later why each was excluded", () => {
    let loaded = 0;
    fc.assert(
      fc.property(
        rulesWith(fc.oneof(ofState, ofExpressions)),
        state,
        arrival,
        (rules, stored, came) => {
          const set = rulesetOf(rules);
          const context = contextOf(came, (key) => stored[key]);
          const { matched, loads, noted, isUnread } = loading(set, context);
          const said = matched.judged.map(({ rule, outcome, reason }) => [
            rule.id,
            outcome,
            reason,
          ]);
          const direct = decide(event, set, context);

          expect(said).toEqual(
            direct.judged.map(({ rule, outcome, reason }) => [rule.id, outcome, reason]),
          );
          expect(loads).toBeLessThanOrEqual(1);
          expect(isUnread).toBe(false);
          expect(explain(event, set, { ...context, read: (key) => noted[key] })).toEqual(
            explain(event, set, context),
          );
          loaded += loads;
        },
      ),
      { numRuns: 120 },
    );
    expect(loaded).toBeGreaterThan(60);
  });
});
