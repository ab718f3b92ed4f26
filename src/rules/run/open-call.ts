import type { CompiledRule } from "../ruleset.ts";
import type { RunState } from "./run-state.ts";
import {
  blockAt,
  type CallsRule,
  IN_CALLED,
  ON_CALLED_ERROR,
  type Position,
  type Step,
} from "./step.ts";

/** Step that runs the steps of another rule. */
export type CallingStep = Step & { readonly calls: CallsRule };

export function callsRule(step: Step): step is CallingStep {
  return step.calls !== undefined;
}

/** Call of another rule that a run is inside of. */
export interface OpenCall {
  readonly step: CallingStep;
  readonly position: Position;
}

/** Returns the innermost call that the run is inside of; `undefined` if the run is in its own rule. */
export function callAt(
  rule: CompiledRule,
  { position, calls }: Pick<RunState, "position" | "calls">,
): OpenCall | undefined {
  if (calls === undefined) return undefined;
  for (let depth = position.length - 2; depth >= 2; depth -= 2) {
    const held = position.slice(0, depth);
    const { block, index } = blockAt(rule, held);
    const step = block[index];
    const isInside = position[depth] === IN_CALLED || position[depth] === ON_CALLED_ERROR;
    if (isInside && step !== undefined && callsRule(step)) return { step, position: held };
  }
  return undefined;
}
