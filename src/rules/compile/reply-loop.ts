import { actionKind } from "../../actions/actions.ts";
import type { Path } from "../../config/yaml-document.ts";
import { actionTypes, type Step } from "../run/step.ts";
import type { CompiledTrigger } from "../ruleset.ts";
import type { CompileContext } from "./compile-context.ts";

/** Reports a rule whose own actions trigger it in an endless loop, without a cooldown. */
export function reportLoops(
  context: CompileContext,
  path: Path,
  triggers: readonly CompiledTrigger[],
  actions: readonly Step[],
  hasCooldown: boolean,
): void {
  if (hasCooldown) return;
  const types = new Set(actionTypes(actions));
  for (const [index, { trigger, direction }] of triggers.entries()) {
    const type = [...types].find((one) => actionKind(one).echo.triggers.includes(trigger));
    if (direction !== "outbound" || type === undefined) continue;
    context.report([...path, "triggers", index], {
      code: "reply-loop",
      message: `this rule can trigger itself: ${type} -> ${trigger} (outbound) -> this rule`,
      help: "drop  direction: outbound, or add  cooldown: {per: conversation, for: 1h}",
    });
  }
}
