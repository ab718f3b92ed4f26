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

describe("repeat", () => {
  it("runs its steps the given number of times, each round with its number", () => {
    const actions = "{repeat: {count: 3, sequence: [{reply_dm: 'n ${{ repeat.index }}'}]}}";

    expect(steps(actions)).toEqual(["n 1 @1", "n 2 @2", "n 3 @3", END]);
  });

  it("runs once for each item of a list", () => {
    const actions =
      "{repeat: {for_each: [a, '${{ message.text }}'], sequence: [{reply_dm: '${{ repeat.item }}'}]}}";

    expect(steps(actions)).toEqual(["a @1", "a b @2", END]);
  });

  it("runs for a list that a step returned", () => {
    const actions =
      "{id: l, call: ./a.ts#list}, {repeat: {for_each: '${{ steps.l.result }}', sequence: [{reply_dm: '${{ repeat.item.name }}'}]}}, {reply_dm: end}";
    const answer = (next: Next): StepResult =>
      next.kind === "call" ? { ok: true, result: [{ name: "x" }, { name: "y" }] } : OK;

    expect(steps(actions, answer)).toEqual(["call", "x @1", "y @2", "end", END]);
  });

  it("evaluates its condition with the number of the next round, or of the last one", () => {
    const tips = (how: string) =>
      steps(
        `{repeat: {${how}, sequence: [{reply_dm: 'n \${{ repeat.index }}'}]}}, {reply_dm: done}`,
      );
    const two = ["n 1 @1", "n 2 @2", "done", END];

    expect(tips("while: repeat.index <= 2")).toEqual(two);
    expect(tips("until: repeat.index == 2")).toEqual(two);
    expect(tips("while: repeat.index < 1")).toEqual(["done", END]);
  });

  it("uses its own round number inside another repeat", () => {
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

  it("continues while a condition on the previous round is true", () => {
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

  it("evaluates until after each round", () => {
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

  it.each([
    ["a condition", "{id: s, if: repeat.index == 1, call: ./a.ts#n}"],
    ["a condition around it", "{if: repeat.index == 1, then: [{id: s, call: ./a.ts#n}]}"],
    [
      "a repeat around it",
      "{if: repeat.index == 1, then: [{repeat: {count: 1, sequence: [{id: s, call: ./a.ts#n}]}}]}",
    ],
  ])("leaves out the result of a step that this round has skipped by %s", (_why, step) => {
    const actions = `{repeat: {count: 2, sequence: [${step}, {reply_dm: "\${{ has(steps.s) }}"}]}}, {reply_dm: "\${{ has(steps.s) }}"}`;

    expect(steps(actions)).toEqual([
      expect.stringContaining("call"),
      "true @1",
      "false @2",
      "false",
      END,
    ]);
  });

  it("has the results of the last round after its end, and of the round before in its condition", () => {
    const actions =
      "{repeat: {while: 'repeat.index < 3 && steps.n.result.orValue(0) < 2', sequence: [{id: n, call: ./a.ts#n}]}}, {reply_dm: 'n ${{ steps.n.result }}'}";
    let calls = 0;

    expect(steps(actions, () => ({ ok: true, result: ++calls }))).toEqual([
      "call @1",
      "call @2",
      "n 2",
      END,
    ]);
  });

  it("may contain another repeat, with a separate key for each round", () => {
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
      repeat: "{for_each: '${{ [1, 2, 3] }}', max: 2, sequence: [{reply_dm: x}]}",
      end: "failed: actions[0]: it would have more than 2 rounds",
    },
    {
      why: "no list",
      repeat: "{for_each: '${{ message.text }}', sequence: [{reply_dm: x}]}",
      end: "failed: actions[0]: for_each is not a list",
    },
    {
      why: "more than a run may have, of all repeats together",
      repeat:
        "{count: 40, sequence: [{repeat: {count: 40, sequence: [{set: {state.sender.n: 1}}]}}]}",
      end: "failed: actions[0].repeat.sequence[0]: all repeats of the run would have more than 1000 rounds together",
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
  ])("runs all its rounds: $why", ({ repeat, rounds }) => {
    const done = steps(`{repeat: ${repeat}}`);

    expect([done.length, done.at(-1)]).toEqual([rounds + 1, END]);
  });

  it("runs no round for an empty list", () => {
    const actions = "{repeat: {for_each: [], sequence: [{reply_dm: x}]}}, {reply_dm: then}";

    expect(steps(actions)).toEqual(["then", END]);
  });

  it("continues with the next round if a step that may fail has failed", () => {
    const actions =
      "{repeat: {count: 2, sequence: [{call: ./a.ts#n, on_error: [{reply_dm: 'no ${{ repeat.index }}'}]}]}}";
    const answer = (next: Next): StepResult =>
      next.kind === "call" ? { ok: false, error: { code: "x", message: "x" } } : OK;

    expect(steps(actions, answer)).toEqual(["call @1", "no 1 @1", "call @2", "no 2 @2", END]);
  });
});
