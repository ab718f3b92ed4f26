import { describe, expect, it, test } from "vitest";
import type { Next } from "../../../src/rules/run/advance.ts";
import type { StepResult } from "../../../src/rules/run/run-state.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { play } from "../support/playing.ts";

const OK: StepResult = { ok: true, result: 1 };
const FAILS: StepResult = { ok: false, error: { code: "broken", message: "it broke" } };
const END = "finished: all steps are done";

/** Plays rule `a` with these actions, beside rules that it may call. Returns its texts, other actions and end. */
function steps(actions: string, others: string, answer: (next: Next) => StepResult = () => OK) {
  const ruleset = rulesetOf(
    `rules: [{id: a, triggers: [dm.received], variables: {who: Ann}, conditions: [{message.text: {matches: '(?P<word>\\w+)'}}], actions: [${actions}]}, ${others}]`,
  );
  return play(messageReceived({ text: "hello you" }), ruleset, answer).map((next) => {
    if (next.kind === "done") return `${next.end.outcome}: ${next.end.reason}`;
    return next.kind === "action" && "text" in next.action ? next.action.text : next.kind;
  });
}

describe("a step that runs another rule", () => {
  it("runs its steps, then continues", () => {
    expect(
      steps(
        "{run: bye}, {reply_dm: then}",
        "{id: bye, actions: [{reply_dm: one}, {reply_dm: two}]}",
      ),
    ).toEqual(["one", "two", "then", END]);
  });

  it("runs a rule that is not enabled, and ignores its conditions", () => {
    const bye =
      "{id: bye, enabled: false, triggers: [dm.received], conditions: [{message.text: never}], cooldown: {per: sender, for: 1h}, actions: [{reply_dm: bye}]}";

    expect(steps("{run: bye}", bye)).toEqual(["bye", END]);
  });

  it("sets the given variables, and keeps the others", () => {
    const greet =
      "{id: greet, variables: {name: nobody, whole: 'dear ${{ vars.name }}', mark: '!'}, actions: [{reply_dm: 'Hi ${{ vars.whole }}${{ vars.mark }}'}]}";
    const run = "{run: greet, with: {name: '${{ vars.who }}'}}, {reply_dm: '${{ vars.who }}'}";

    expect(steps(run, greet)).toEqual(["Hi dear Ann!", "Ann", END]);
  });

  it("lets it see the event and the captures, and not the steps of the calling rule", () => {
    const said =
      "{id: said, actions: [{id: own, call: ./a.ts#f}, {reply_dm: '${{ captures.word }} of ${{ message.text }}, ${{ steps.own.result }}'}]}";

    expect(steps("{id: own, call: ./a.ts#g}, {run: said}", said, () => OK)).toEqual([
      "call",
      "call",
      "hello of hello you, 1",
      END,
    ]);
  });

  it("continues after a stop inside it, and has its reason", () => {
    const some = "{id: some, actions: [{stop: enough}, {reply_dm: never}]}";
    const run = "{id: r, run: some}, {reply_dm: '${{ steps.r.ok }} ${{ steps.r.result }}'}";

    expect(steps(run, some.replace(", {reply_dm: never}", ""))).toEqual(["true enough", END]);
  });

  test.each([
    {
      why: "on_error beside run",
      run: "{run: risky, on_error: [{reply_dm: 'sorry: ${{ error.message }}'}]}, {reply_dm: on}",
      said: ["call", "sorry: it broke", "on", END],
    },
    {
      why: "continue_on_error",
      run: "{id: r, run: risky, continue_on_error: true}, {reply_dm: '${{ steps.r.ok }} ${{ steps.r.error }}'}",
      said: ["call", "false it broke", END],
    },
    { why: "nothing", run: "{run: risky}", said: ["call", "failed: actions[0]: it broke"] },
  ])("fails if a step inside has failed, with $why", ({ run, said }) => {
    const risky = "{id: risky, actions: [{call: ./a.ts#f}, {reply_dm: never}]}";

    expect(steps(run, risky, (next) => (next.kind === "call" ? FAILS : OK))).toEqual(said);
  });

  it("first runs the inner rule's own steps for errors", () => {
    const risky =
      "{id: risky, actions: [{call: ./a.ts#f}], on_error: [{reply_dm: 'inside: ${{ error.message }}'}]}";
    const run = "{run: risky, on_error: [{reply_dm: outside}]}";

    expect(steps(run, risky, (next) => (next.kind === "call" ? FAILS : OK))).toEqual([
      "call",
      "inside: it broke",
      "outside",
      END,
    ]);
  });

  it("fails if a stop inside ends as failed", () => {
    const risky = "{id: risky, actions: [{stop: {outcome: failed, reason: no stock}}]}";

    expect(steps("{run: risky}", risky)).toEqual(["failed: actions[0]: no stock"]);
  });

  it("runs rules that run others, each with its variables, also in repeats", () => {
    const outer =
      "{id: outer, variables: {n: 0}, actions: [{run: inner, with: {m: '${{ vars.n }}'}}, {reply_dm: 'outer ${{ vars.n }}'}]}";
    const inner = "{id: inner, variables: {m: 0}, actions: [{reply_dm: 'inner ${{ vars.m }}'}]}";
    const run = "{repeat: {count: 2, sequence: [{run: outer, with: {n: '${{ repeat.index }}'}}]}}";

    expect(steps(run, `${outer}, ${inner}`)).toEqual([
      "inner 1",
      "outer 1",
      "inner 2",
      "outer 2",
      END,
    ]);
  });
});
