import { type Action, actionKind, type ActionType } from "../../actions/actions.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import type { Expression } from "../compile/expression.ts";
import type { View } from "../decide/view.ts";

/** Where a step stands in its rule: `["actions", 0, "then", 1]`. */
export type Position = readonly (string | number)[];

/** A compiled step. */
export interface Step extends StepBody {
  /** As the rule writes it; `if` where steps follow a test. */
  readonly verb: string;
  /** `actions[0].then[1]`: names the step in results, logs and keys. */
  readonly label: string;
  readonly id?: string;
  /** The step is skipped when this is false. */
  readonly condition?: Expression;
  readonly continueOnError: boolean;
  /** Steps for when this one fails. */
  readonly onError: readonly Step[];
}

/** What a verb makes of a step. */
export interface StepBody {
  /** The action that it asks for, if it asks for one. */
  readonly action?: ActionType;
  /** Steps inside, by the key under which they stand. */
  readonly blocks?: Readonly<Record<string, readonly Step[]>>;
  /** Pure: the same run gives the same outcome. */
  readonly perform: (run: StepRun) => StepOutcome;
}

/** What a step sees of its run. */
export interface StepRun {
  readonly event: AccountEvent;
  /** What expressions see. */
  readonly view: View;
  /** The rule file. */
  readonly file: string;
  /** The same each time this step of this run is performed, and of no other: for what is drawn by lot. */
  readonly seed: string;
}

/** What performing a step comes to: something that the caller has to do, or where the run goes on. */
export type StepOutcome =
  | StepRequest
  | { readonly kind: "enter"; /** Key of a block of the step. */ readonly block: string }
  | {
      readonly kind: "end";
      readonly outcome: "stopped" | "failed";
      readonly reason: string;
    }
  /** The step could not be put together: a field that the event doesn't have, an empty text. */
  | { readonly kind: "not-ready"; readonly message: string };

/** What the caller has to do before the run can go on. */
export type StepRequest =
  | { readonly kind: "action"; readonly action: Action }
  | {
      readonly kind: "call";
      /** As written in the rule: relative to `file`. */
      readonly module: string;
      readonly export: string;
      readonly with: Json;
      readonly file: string;
      readonly timeoutMs?: number;
    }
  | { readonly kind: "log"; readonly level: LogLevel; readonly message: string }
  | {
      readonly kind: "timer";
      /** Milliseconds from now until the step is done. */ readonly delayMs: number;
    };

/** Levels that a rule can log at. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** All of `steps` and the steps inside them, at any depth. */
export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [
    step,
    ...allSteps(step.onError),
    ...Object.values(step.blocks ?? {}).flatMap((block) => allSteps(block)),
  ]);
}

/** Does any of `steps` put words before a person, at any depth? Such rules share a group. */
export function answers(steps: readonly Step[]): boolean {
  return allSteps(steps).some(({ action }) => action !== undefined && actionKind(action).answers);
}

/** The block of steps at `position`, and the index in it. */
export function blockAt(
  blocks: { readonly actions: readonly Step[]; readonly onError: readonly Step[] },
  position: Position,
): { readonly block: readonly Step[]; readonly index: number } {
  let block = position[0] === "on_error" ? blocks.onError : blocks.actions;
  for (let depth = 1; depth + 2 < position.length; depth += 2) {
    const step = block[Number(position[depth])];
    block = (step && innerBlock(step, String(position[depth + 1]))) ?? [];
  }
  return { block, index: Number(position.at(-1)) };
}

function innerBlock(step: Step, name: string): readonly Step[] | undefined {
  return name === "on_error" ? step.onError : step.blocks?.[name];
}
