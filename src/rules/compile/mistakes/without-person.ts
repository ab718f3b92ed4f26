import type { Path } from "../../../config/yaml-document.ts";
import { triggersWithout } from "../../schema/fields.ts";
import type { RuleMap } from "../../file-schema/rule-file.ts";
import type { CompileContext } from "../compile-context.ts";

/** Reports cooldowns and limits per person in a rule whose triggers have no person. */
export function reportWithoutPerson(
  context: CompileContext,
  path: Path,
  rule: Pick<RuleMap, "cooldown" | "limit">,
): void {
  if (context.scope.fields.size === 0 || context.scope.fields.has("sender.id")) return;
  const triggers = triggersWithout("sender.id", context.scope.triggers);
  for (const key of ["cooldown", "limit"] as const) {
    const per = rule[key]?.per;
    if (per !== "sender" && per !== "conversation") continue;
    const message = `"${key}" needs a ${per}, and ${triggers} has none`;
    const help = "write  per: account  or  per: rule";
    context.report([...path, key, "per"], { code: "action-not-on-trigger", message, help });
  }
}
