import { asText } from "../../../text/as-text.ts";
import { valueAt } from "../../../config/check-value.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";

/** Warns about a question at `path` that ends after one invalid answer, without any step for that case. */
export function reportUnheardAnswer(context: StepContext, path: Path): void {
  const askMap = valueAt(context.document.value, [...path, "ask"]);
  if (valueAt(askMap, ["expect"]) === undefined) return;
  if (Number(asText(valueAt(askMap, ["retries"]) ?? 0)) > 0 || hasSteps(askMap, "on_invalid"))
    return;
  if (handlesFailure(context, path)) return;
  const verb = valueAt(askMap, ["in"]) === "public" ? "reply_post" : "reply_dm";
  context.report(
    [...path, "ask", "expect"],
    {
      code: "unheard-answer",
      severity: "warning",
      message: "one invalid answer ends the run, and the person gets no reply",
      help: `add to ask:  retries: 1  or  on_invalid: [{ ${verb}: "…" }]`,
    },
    "key",
  );
}

/** Returns whether a failure of the step at `path` is handled: by the step or one around it, its rule, or a calling step. */
export function handlesFailure({ document, base, calls }: StepContext, path: Path): boolean {
  const isInHandled = path.some(
    (key, at) =>
      typeof key === "number" &&
      at > base.length &&
      !BESIDE.has(path[at + 1]) &&
      handles(valueAt(document.value, path.slice(0, at + 1))),
  );
  if (isInHandled) return true;
  const isHandling = path[base.length] === "on_error";
  if (!isHandling && hasSteps(valueAt(document.value, base), "on_error")) return true;
  return calls.chain.at(-1)?.handlesFailure ?? false;
}

/** Blocks beside a step's verb: the step does not handle the failures of their steps. */
const BESIDE: ReadonlySet<unknown> = new Set(["on_error", "on_held"]);

/** Returns whether a step has `on_error` steps, or continues after its failure. */
function handles(step: unknown): boolean {
  return valueAt(step, ["continue_on_error"]) === true || hasSteps(step, "on_error");
}

function hasSteps(holder: unknown, block: string): boolean {
  const steps = valueAt(holder, [block]);
  return Array.isArray(steps) && steps.length > 0;
}
