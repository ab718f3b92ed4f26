import { describe, expect, it, test } from "vitest";
import { compile } from "../../../../src/rules/compile/compile.ts";
import { decide } from "../../../../src/rules/decide/decide.ts";
import { messageReceived } from "../../../support/events.ts";
import type { Ruleset } from "../../../../src/rules/ruleset.ts";
import { rulesetOf } from "../../support/compiling.ts";
import { actionsOf, endOf, play } from "../../support/playing.ts";

const IDS = Array.from({ length: 600 }, (_, id) => String(id + 1));

const rulesets = new Map<string, Ruleset>();

/** Returns the texts that a rule with `actions` sends for the message with the id `id`. */
function saidTo(id: string, actions: string, more = ""): readonly string[] {
  const text = `rules: [{id: a, triggers: [dm.received], ${more} actions: [${actions}]}, {id: b, enabled: false, triggers: [dm.received], variables: {n: "\${{ random(1, 6) }}"}, actions: [{reply_dm: "\${{ vars.n }} \${{ random(1, 6) }}"}]}]`;
  const ruleset = rulesets.get(text) ?? rulesetOf(text);
  rulesets.set(text, ruleset);
  const steps = play(messageReceived({ id }), ruleset);
  expect(endOf(steps)).toBe("finished: all steps are done");
  return actionsOf(steps).flatMap((action) => (action.type === "reply_dm" ? [action.text] : []));
}

const DIE = '{reply_dm: "${{ random(1, 6) }}"}';

describe("random", () => {
  it("returns each number of the range about equally often, both ends included", () => {
    const rolled = IDS.flatMap((id) => saidTo(id, DIE));
    const counts = ["1", "2", "3", "4", "5", "6"].map(
      (face) => rolled.filter((one) => one === face).length,
    );

    expect(counts.reduce((sum, count) => sum + count)).toBe(IDS.length);
    for (const count of counts) expect(count).toBeGreaterThan(IDS.length / 12);
  });

  test.each([
    { what: "two in one text", actions: '{reply_dm: "${{ random(1, 6) }} ${{ random(1, 6) }}"}' },
    {
      what: "two in one expression",
      actions: "{reply_dm: \"${{ string(random(1, 6)) + ' ' + string(random(1, 6)) }}\"}",
    },
    { what: "two steps", actions: `${DIE}, ${DIE}` },
    { what: "two rounds", actions: `{repeat: {count: 2, sequence: [${DIE}]}}` },
    {
      what: "rounds in rounds",
      actions: `{repeat: {count: 2, sequence: [{repeat: {count: 1, sequence: [${DIE}]}}]}}`,
    },
    { what: "a variable and a step of a rule that is run", actions: "{run: b}" },
    { what: "one step that runs a rule and another one", actions: "{run: b}, {run: b}" },
  ])("draws separately for each: $what", ({ actions }) => {
    const pairs = IDS.slice(0, 120).map((id) => saidTo(id, actions).join(" ").split(" "));
    const differing = pairs.filter((all) => new Set(all).size > 1);

    expect(differing.length).toBeGreaterThan(60);
  });

  it("is fixed for a run: a variable keeps its number, and a repeated step draws the same number", () => {
    const more = 'variables: {n: "${{ random(1, 1000000) }}"},';
    const actions = '{reply_dm: "${{ vars.n }}"}, {reply_dm: "${{ vars.n }}"}';
    const [first, second] = saidTo("1", actions, more);

    expect(first).toBe(second);
    expect(saidTo("1", actions, more)).toEqual([first, second]);
    expect(saidTo("2", actions, more)).not.toEqual([first, second]);
  });

  it("draws the same number in a later attempt, even after a condition that is not evaluated again", () => {
    const ruleset = rulesetOf(
      'rules: [{id: a, triggers: [dm.received], actions: [{reply_dm: "${{ random(1, 1000000) }}", if: "random(1, 2) > 0", retry: {attempts: 3}}]}]',
    );
    let failures = 2;
    const steps = play(messageReceived(), ruleset, ({ kind }) =>
      kind === "action" && failures-- > 0
        ? { ok: false, error: { code: "busy", message: "try again" } }
        : { ok: true, result: null },
    );
    const texts = actionsOf(steps).map((action) => JSON.stringify(action));

    expect(texts).toHaveLength(3);
    expect(new Set(texts).size).toBe(1);
  });

  test.each([
    ["random(5, 5)", "5"],
    ["random(-3, -3)", "-3"],
    ["random(0, size(message.text) - size(message.text))", "0"],
  ])("%s gives %s", (expression, value) => {
    expect(saidTo("1", `{reply_dm: "\${{ ${expression} }}"}`)).toEqual([value]);
  });

  test.each([
    ["random(size(message.text), 0)", "the minimum is above the maximum"],
    ["random(0, 9007199254740992)", "the two are too far apart"],
    ["chance(size(message.text)) ? 1 : 2", "a probability between 0 and 1 is required"],
  ])("fails the step: %s", (expression, message) => {
    const ruleset = rulesetOf(
      `rules: [{id: a, triggers: [dm.received], actions: [{reply_dm: "\${{ ${expression} }}"}]}]`,
    );

    expect(endOf(play(messageReceived({ text: "hello" }), ruleset))).toContain(message);
  });
});

describe("the condition chance", () => {
  const ruleset = rulesetOf(
    "rules: [{id: a, group: none, triggers: [dm.received], conditions: [{if: chance(0.3)}], actions: [like-it]}, {id: b, group: none, triggers: [dm.received], conditions: [{if: chance(0.3)}], actions: [like-it]}]".replaceAll(
      "like-it",
      "{reply_dm: hi}",
    ),
  );
  const ran = (id: string) => {
    const event = messageReceived({ id });
    return decide(event, ruleset, { now: event.at }).runs.map((run) => run.ruleId);
  };

  it("is true for its share of events, for each rule separately, and the same each time", () => {
    const all = IDS.map(ran);
    const share = (rule: string) => all.filter((rules) => rules.includes(rule)).length / IDS.length;
    const both = all.filter((rules) => rules.length === 2).length / IDS.length;

    expect(share("a")).toBeGreaterThan(0.25);
    expect(share("a")).toBeLessThan(0.35);
    expect(share("b")).toBeGreaterThan(0.25);
    expect(both).toBeLessThan(0.15);
    expect(IDS.map(ran)).toEqual(all);
  });

  test.each([
    ["chance(0)", 0],
    ["chance(0.0)", 0],
    ["chance(1)", 1],
    ["chance(1.0)", 1],
  ])("%s is always or never true", (expression, times) => {
    const step = `{reply_dm: hi, if: ${expression}}`;

    for (const id of IDS.slice(0, 50)) expect(saidTo(id, step)).toHaveLength(times);
  });

  it("hides no later rule with the same chance", () => {
    const rules = ["a", "b"].map(
      (id) =>
        `{id: ${id}, triggers: [dm.received], conditions: [{if: chance(0.5)}], actions: [{reply_dm: hi}]}`,
    );
    const text = `version: 1\nrules: [${rules.join(", ")}]`;

    expect(compile([{ path: "a.yaml", text }]).problems).toEqual([]);
  });
});
