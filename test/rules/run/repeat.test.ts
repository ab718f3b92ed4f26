import { describe, expect, it, test } from "vitest";
import type { Next } from "../../../src/rules/run/advance.ts";
import type { StepResult } from "../../../src/rules/run/run-state.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { play } from "../support/playing.ts";

/** Returns the texts and actions of a rule with these steps, each with its round. */
function steps(actions: string, answer: (next: Next) => StepResult = () => OK): string[] {
  const ruleset = rulesetOf(`rules: [{id: a, triggers: [dm.received], actions: [${actions}]}]`);
  return play(messageReceived({ text: "a b" }), ruleset, answer).map((next) => {
    if (next.kind === "done") return `${next.end.outcome}: ${next.end.reason}`;
    const round = next.round === undefined ? "" : ` @${next.round}`;
    const said = next.kind === "action" && "text" in next.action ? next.action.text : next.kind;
    return `${said}${round}`;
  });
}
const OK: StepResult = { ok: true, result: 1 };
const END = "finished: all steps are done";

describe("a repeat", () => {
  it("goes through its steps so often, each round with its number", () => {
    const actions = "{repeat: {count: 3, sequence: [{reply_dm: 'n ${{ repeat.index }}'}]}}";

    expect(steps(actions)).toEqual(["n 1 @1", "n 2 @2", "n 3 @3", END]);
  });

  it("goes through a list, each round with one of it", () => {
    const actions =
      "{repeat: {for_each: [a, '${{ message.text }}'], sequence: [{reply_dm: '${{ repeat.item }}'}]}}";

    expect(steps(actions)).toEqual(["a @1", "a b @2", END]);
  });

  it("goes through a list that a step gave", () => {
    const actions =
      "{id: l, call: ./a.ts#list}, {repeat: {for_each: '${{ steps.l.result }}', sequence: [{reply_dm: '${{ repeat.item.name }}'}]}}, {reply_dm: end}";
    const answer = (next: Next): StepResult =>
      next.kind === "call" ? { ok: true, result: [{ name: "x" }, { name: "y" }] } : OK;

    expect(steps(actions, answer)).toEqual(["call", "x @1", "y @2", "end", END]);
  });

  it("asks by the number of the round that would begin, or that has ended", () => {
    const tips = (how: string) =>
      steps(
        `{repeat: {${how}, sequence: [{reply_dm: 'n \${{ repeat.index }}'}]}}, {reply_dm: done}`,
      );
    const two = ["n 1 @1", "n 2 @2", "done", END];

    expect(tips("while: repeat.index <= 2")).toEqual(two);
    expect(tips("until: repeat.index == 2")).toEqual(two);
    expect(tips("while: repeat.index < 1")).toEqual(["done", END]);
  });

  it("asks by its own number within another one", () => {
    const inner =
      "{repeat: {while: repeat.index <= 2, sequence: [{reply_dm: '${{ repeat.index }}'}]}}";

    expect(steps(`{repeat: {count: 2, sequence: [${inner}]}}`)).toEqual([
      "1 @1.1",
      "2 @1.2",
      "1 @2.1",
      "2 @2.2",
      END,
    ]);
  });

  it("goes on as long as a condition holds that sees the round before", () => {
    const actions =
      "{id: more, call: ./a.ts#more}, {repeat: {while: steps.more.result > 0, sequence: [{id: said, reply_dm: hi}, {id: again, call: ./a.ts#more}, {if: 'steps.again.result == 0', then: [{stop: enough}]}]}}";
    let remaining = 3;
    const answer = (next: Next): StepResult => {
      if (next.kind === "call") remaining -= 1;
      return { ok: true, result: remaining };
    };

    expect(steps(actions, answer)).toEqual([
      "call",
      "hi @1",
      "call @1",
      "hi @2",
      "call @2",
      "stopped: enough",
    ]);
  });

  it("asks until after each round", () => {
    const actions =
      "{id: r, repeat: {until: steps.n.result == 2, sequence: [{id: n, call: ./a.ts#n}]}}, {reply_dm: '${{ steps.r.result }} rounds'}";
    let calls = 0;

    expect(steps(actions, () => ({ ok: true, result: ++calls }))).toEqual([
      "call @1",
      "call @2",
      "2 rounds",
      END,
    ]);
  });

  it("has rounds in rounds, with a key of their own each", () => {
    const inner = "{repeat: {count: 2, sequence: [{reply_dm: x}]}}";

    expect(steps(`{repeat: {count: 2, sequence: [${inner}]}}`)).toEqual([
      "x @1.1",
      "x @1.2",
      "x @2.1",
      "x @2.2",
      END,
    ]);
  });

  test.each([
    {
      why: "more than max",
      repeat: "{while: 'true', max: 2, sequence: [like]}".replace("[like]", "[{reply_dm: x}]"),
      end: "failed: actions[0]: it would have more than 2 rounds",
    },
    {
      why: "a list that is longer than max",
      repeat: "{for_each: [1, 2, 3], max: 2, sequence: [{reply_dm: x}]}",
      end: "failed: actions[0]: it would have more than 2 rounds",
    },
    {
      why: "no list",
      repeat: "{for_each: '${{ message.text }}', sequence: [{reply_dm: x}]}",
      end: "failed: actions[0]: for_each is no list",
    },
    {
      why: "more than a run may have, of all repeats together",
      repeat:
        "{count: 1000, sequence: [{repeat: {count: 1000, sequence: [{set: {state.sender.n: 1}}]}}]}",
      end: "failed: actions[0].repeat.sequence[0]: it would have more than 1000 rounds",
    },
  ])("fails for $why", ({ repeat, end }) => {
    expect(steps(`{repeat: ${repeat}}`).at(-1)).toBe(end);
  });

  test.each([
    {
      why: "as many as max",
      repeat: "{for_each: [1, 2], max: 2, sequence: [{reply_dm: x}]}",
      rounds: 2,
    },
    {
      why: "as many as a run may have",
      repeat: "{count: 1000, sequence: [{reply_dm: x}]}",
      rounds: 1_000,
    },
    {
      why: "more than max, if count says so",
      repeat: "{count: 101, sequence: [{reply_dm: x}]}",
      rounds: 101,
    },
  ])("goes through all of its rounds: $why", ({ repeat, rounds }) => {
    const done = steps(`{repeat: ${repeat}}`);

    expect([done.length, done.at(-1)]).toEqual([rounds + 1, END]);
  });

  it("has no round where there is nothing to go through", () => {
    const actions = "{repeat: {for_each: [], sequence: [{reply_dm: x}]}}, {reply_dm: then}";

    expect(steps(actions)).toEqual(["then", END]);
  });

  it("goes on with the next round when a step of one may fail", () => {
    const actions =
      "{repeat: {count: 2, sequence: [{call: ./a.ts#n, on_error: [{reply_dm: 'no ${{ repeat.index }}'}]}]}}";
    const answer = (next: Next): StepResult =>
      next.kind === "call" ? { ok: false, error: { code: "x", message: "x" } } : OK;

    expect(steps(actions, answer)).toEqual(["call @1", "no 1 @1", "call @2", "no 2 @2", END]);
  });
});
