import { expect } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { advance, type AdvanceContext, type Next, settle } from "../../../src/rules/run/advance.ts";
import type { RunState, StepResult } from "../../../src/rules/run/run-state.ts";

/** Returns the simulated result of a step. */
export type Answer = (next: Next) => StepResult;

export const done: Answer = () => ({ ok: true, result: null });

/** Runs the one rule that `event` starts to its end. The run is stored and read again between any two steps. */
export function play(
  event: AccountEvent,
  ruleset: Ruleset,
  answer: Answer = done,
  over: Partial<AdvanceContext> = { secrets: { KEY: "s3" } },
): Next[] {
  const [started] = decide(event, ruleset, { now: event.at }).runs;
  const rule = ruleset.byId.get(started?.ruleId ?? "");
  if (!started || !rule) return [];
  const context = { now: event.at, ...over };
  const seen: Next[] = [];
  let state = started;
  for (;;) {
    const stored: RunState = JSON.parse(JSON.stringify(state));
    const { run, next } = advance(stored, rule, context);
    expect(advance(run, rule, context).next).toEqual(next);
    seen.push(next);
    if (next.kind === "done") return seen;
    state = settle(run, rule, answer(next));
  }
}

/** Returns the actions (such as replies) among the steps of a run. */
export const actionsOf = (steps: readonly Next[]) =>
  steps.flatMap((next) => (next.kind === "action" ? [next.action] : []));

/** Returns the end of a run as `outcome: reason`. */
export const endOf = (steps: readonly Next[]) => {
  const last = steps.at(-1);
  return last?.kind === "done" ? `${last.end.outcome}: ${last.end.reason}` : undefined;
};
