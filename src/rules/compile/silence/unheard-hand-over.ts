import { valueAt } from "../../../config/check-value.ts";
import { hasErrors, type Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { answers, type Step } from "../../run/step.ts";
import type { CompileContext } from "../compile-context.ts";

/**
 * Warns if a person's message starts a rule that hands over to people and silences the bot for that person, but no step of
 * the rule answers.
 *
 * @param steps All steps of the rule.
 */
export function reportUnheardHandOver(
  context: CompileContext,
  rulePath: Path,
  steps: readonly Step[],
): void {
  if (!context.scope.triggers.includes("dm.received") || answers(steps)) return;
  // steps with errors are absent from `steps`; one of them may be the answer
  if (hasErrors(context.problems)) return;
  for (const block of ["actions", "on_error"]) look([...rulePath, block]);

  function look(path: Path): void {
    const value = valueAt(context.document.value, path);
    if (typeof value !== "object" || value === null) return;
    const paused = valueAt(value, ["escalate", "pause_bot"]);
    if (paused !== undefined && valueAt(paused, ["per"]) !== "account") {
      context.report([...path, "escalate", "pause_bot"], UNHEARD, "key");
    }
    const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    for (const key of keys) look([...path, key]);
  }
}

const UNHEARD: Mistake = {
  code: "unheard-hand-over",
  severity: "warning",
  message: "the bot is silent from here on, and no step of this rule tells the person",
  help: "add before it:  - reply_dm: A person will write to you here.",
};
