import { describe, expect, it } from "vitest";
import { advance, settle } from "../../../src/rules/run/advance.ts";
import { timeUp } from "../../../src/rules/run/listen.ts";
import { branchEnded, branchOf } from "../../../src/rules/run/parallel.ts";
import type { RunState, StepResult } from "../../../src/rules/run/run-state.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const NOW = 1_000;

/** Starts a run of a rule with these steps, up to the first step with an outside effect. */
function begun(actions: string, more = "") {
  const ruleset = rulesetOf(
    `rules: [{id: a, triggers: [dm.received], ${more}actions: [${actions}]}]`,
  );
  const [started] = decide(messageReceived(), ruleset, { now: NOW }).runs;
  const [rule] = ruleset.rules;
  if (started === undefined || rule === undefined) throw new Error("no run");
  const next = (state: RunState) => advance(state, rule, { now: NOW });
  /** Runs the branch `name`, whose steps end with `results`; returns the branch's state. */
  const through = (state: RunState, name: string, results: readonly StepResult[] = []) => {
    let at = next(branchOf(state, name));
    for (const result of results) at = next(settle(at.run, rule, result));
    return at.run;
  };
  const end = (state: RunState, name: string, ...results: readonly StepResult[]) =>
    branchEnded(state, rule, through(state, name, results));
  return { rule, next, end, through, first: next(started) };
}
const ok = (result: string): StepResult => ({ ok: true, result });
const no: StepResult = { ok: false, error: { code: "x", message: "no luck" } };
const TWO = "{id: p, parallel: {one: [{id: o, call: ./a.ts#a}], two: [{id: t, call: ./a.ts#b}]}}";

describe("a run at a parallel step", () => {
  it("lists its branches in order, and the same ones until they have ended", () => {
    const { next, first } = begun(TWO);

    expect(first.next).toEqual({
      kind: "branches",
      names: ["one", "two"],
      path: "actions[0]",
      id: "p",
    });
    expect(next(first.run)).toEqual(first);
  });

  it("continues after the last branch, with the results of their steps", () => {
    const { next, end, first } = begun(
      `${TWO}, {reply_dm: '\${{ steps.o.result }} \${{ steps.t.result }} \${{ steps.p.ok }}'}`,
    );
    const half = end(first.run, "two", ok("2"));
    expect(half.parallel?.open).toEqual(["one"]);

    expect(next(end(half, "one", ok("1"))).next).toMatchObject({
      kind: "action",
      action: { text: "1 2 true" },
    });
  });

  it("continues at once if no branch waits", () => {
    const { end, next, first } = begun(
      "{parallel: {one: [{if: 'false', then: [{log: a}]}], two: [{if: 'false', then: [stop]}]}}".replace(
        "like",
        "{log: a}",
      ),
    );

    expect(next(end(end(first.run, "one"), "two")).next).toEqual({
      kind: "done",
      end: { outcome: "finished", reason: "all steps are done" },
    });
  });

  it("keeps the labels of a branch if another one is inserted before it", () => {
    const { through, first } = begun(TWO);

    expect(Object.keys(through(first.run, "two", [ok("2")]).results)).toEqual([
      "actions[0].parallel.two[0]",
    ]);
  });
});

describe("a branch that fails", () => {
  it.each([
    { why: "the run fails when all have ended", more: "", behind: "failed: actions[0]: no luck" },
    { why: "continue_on_error", more: ", continue_on_error: true", behind: "after" },
    { why: "on_error", more: ", on_error: [{reply_dm: handled}]", behind: "handled" },
  ])("lets the other branches continue: $why", ({ more, behind }) => {
    const { next, end, first } = begun(`${TWO.slice(0, -1)}${more}}, {reply_dm: after}`);
    const half = end(first.run, "one", no);
    expect(half.parallel).toMatchObject({ open: ["two"], failed: no });

    const last = next(end(half, "two", ok("2"))).next;
    const said =
      last.kind === "done"
        ? `${last.end.outcome}: ${last.end.reason}`
        : last.kind === "action" && "text" in last.action && last.action.text;
    expect(said).toBe(behind);
  });

  it("first runs its own steps for errors", () => {
    const { next, end, first } = begun(
      "{parallel: {one: [{call: ./a.ts#a, on_error: [{call: ./a.ts#c}]}], two: [{delay: 1s}]}}, {reply_dm: after}",
    );
    const half = end(first.run, "one", no, ok("c"));
    expect(half.parallel?.failed).toBeUndefined();

    expect(next(end(half, "two", ok(""))).next).toMatchObject({ kind: "action" });
  });

  it("is handled by a step in the branch, or by a step around the parallel one", () => {
    const one = "{if: 'true', then: [{call: ./a.ts#a}], on_error: [{reply_dm: caught}]}";
    const inside = begun(`{parallel: {one: [${one}], two: [{delay: 1s}]}}`);
    expect(inside.end(inside.first.run, "one", no, ok("sent")).parallel).toEqual({
      step: "actions[0]",
      open: ["two"],
    });

    const around = begun(`{if: 'true', then: [${TWO}], on_error: [{reply_dm: caught}]}`);
    const half = around.end(around.first.run, "one", no);
    expect(around.next(around.end(half, "two", ok("2"))).next).toMatchObject({
      path: "actions[0].on_error[0]",
    });
  });

  it("does not run the rule's steps for errors", () => {
    const { through, first } = begun(TWO, "on_error: [{log: late}], ");

    expect(through(first.run, "one", [no]).ended).toMatchObject({ outcome: "failed" });
  });
});

describe("a stop step in a branch", () => {
  it("ends the run, whatever the other branches are doing", () => {
    const { next, end, first } = begun(
      "{parallel: {one: [{stop: enough}], two: [{delay: 1h}]}}, {reply_dm: never}",
    );

    expect(next(end(first.run, "one")).next).toEqual({
      kind: "done",
      end: { outcome: "stopped", reason: "enough" },
    });
  });
});

describe("a timeout of a parallel step", () => {
  it("ends the branches, and the step fails", () => {
    const { rule, next, first } = begun(
      `${TWO.slice(0, -1)}, timeout: 10s, on_error: [{reply_dm: '\${{ error.code }}: \${{ error.message }}'}]}`,
    );
    expect(first.next).toMatchObject({ kind: "branches", until: NOW + 10_000 });

    expect(next(timeUp(first.run, rule)).next).toMatchObject({
      action: { text: "parallel-timeout: its branches were not over in 10s" },
    });
  });
});

describe("branches in a repeat", () => {
  it("start again in each round, with its number", () => {
    const { next, end, first } = begun(
      "{repeat: {count: 2, sequence: [{parallel: {one: [{if: 'false', then: [{log: a}]}], two: [{id: n, call: './a.ts#n', with: {n: '${{ repeat.index }}'}}]}}]}}",
    );
    expect(first.next).toMatchObject({ kind: "branches", round: "1" });
    const second = next(end(end(first.run, "one"), "two", ok("1")));

    expect(second.next).toMatchObject({ kind: "branches", round: "2", names: ["one", "two"] });
    expect(next(branchOf(second.run, "two")).next).toMatchObject({ with: { n: 2 }, round: "2" });
  });
});
