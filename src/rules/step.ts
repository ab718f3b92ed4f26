import type { Expression, Outcome } from "./expression.ts";
import type { Template } from "./template.ts";
import type { Json, View } from "./view.ts";

/** Where a step stands in its rule: `["actions", 0, "then", 1]`. */
export type Position = readonly (string | number)[];

/** A compiled step. */
export type Step = StepFrame & StepBody;

interface StepFrame {
  /** `actions[0].then[1]`: names the step in results, logs and keys. */
  readonly label: string;
  readonly id?: string;
  /** The step is skipped when this is false. */
  readonly condition?: Expression;
  readonly continueOnError: boolean;
  readonly onError: readonly Step[];
}

export type StepBody =
  | { readonly verb: "reply_dm"; readonly text: Template }
  | { readonly verb: "reply_post"; readonly text: Template }
  | { readonly verb: "like" }
  | { readonly verb: "follow"; /** User id. */ readonly user?: Template }
  | {
      readonly verb: "call";
      /** As written: relative to the rule file. */
      readonly module: string;
      readonly export: string;
      readonly argument: (view: View) => Outcome<Json>;
      readonly timeoutMs?: number;
    }
  | { readonly verb: "log"; readonly level: LogLevel; readonly message: Template }
  | { readonly verb: "stop"; readonly outcome: "stopped" | "failed"; readonly reason: Template }
  | {
      readonly verb: "branch";
      readonly test: Expression;
      readonly whenTrue: readonly Step[];
      readonly whenFalse: readonly Step[];
    };

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Does any of `steps` answer the person, at any depth? Such rules share a group. */
export function answers(steps: readonly Step[]): boolean {
  return steps.some(
    (step) =>
      step.verb === "reply_dm" ||
      step.verb === "reply_post" ||
      answers(step.onError) ||
      (step.verb === "branch" && (answers(step.whenTrue) || answers(step.whenFalse))),
  );
}

/** The block of steps at `position`, and the index in it. */
export function blockAt(
  blocks: { readonly actions: readonly Step[]; readonly onError: readonly Step[] },
  position: Position,
): { readonly block: readonly Step[]; readonly index: number } {
  let block = position[0] === "on_error" ? blocks.onError : blocks.actions;
  for (let depth = 1; depth + 2 < position.length; depth += 2) {
    const step = block[Number(position[depth])];
    block = step === undefined ? [] : innerBlock(step, position[depth + 1]);
  }
  return { block, index: Number(position.at(-1)) };
}

function innerBlock(step: Step, name: string | number | undefined): readonly Step[] {
  if (name === "on_error") return step.onError;
  if (step.verb !== "branch") return [];
  return name === "then" ? step.whenTrue : step.whenFalse;
}
