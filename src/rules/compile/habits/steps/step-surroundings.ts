import type { StateOwner } from "../../../schema/state-keys.ts";
import type { ConditionReader } from "../other-conditions.ts";

/** Context in which the steps of a rule are translated. */
export interface StepSurroundings {
  readonly conditions: ConditionReader;
  /** Whether the rule answers posts, in public. */
  readonly isPublic: boolean;
  /** Returns whether the file has a shared text with this name. */
  readonly hasText: (name: string) => boolean;
  /** Paths of state that the file declares. */
  readonly declared: readonly string[];
  /** Owner of state that a step names without an owner: the account if the events have no person. */
  readonly owner: StateOwner;
}

/** Translates a list of steps, some of which may be in this language. */
export type ReadSteps = (value: unknown) => readonly unknown[] | undefined;
