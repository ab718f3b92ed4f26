import type { Path } from "../../../config/yaml-document.ts";
import { fieldsOf, triggersWithout } from "../../schema/fields.ts";
import { TRIGGER_FACTS, TRIGGERS } from "../../../events/triggers.ts";
import type { FieldNeed } from "../step-kind.ts";
import type { StepContext } from "../step-context.ts";

/**
 * Returns whether every trigger of the rule provides a field. Reports a missing field at the key `at`.
 *
 * @param what Part of the rule that requires the field, as the message names it: `"reply_post"`.
 */
export function hasField(context: StepContext, at: Path, what: string, need: FieldNeed): boolean {
  if (context.scope.fields.has(need.field)) return true;
  const triggers = triggersWithout(need.field, context.scope.triggers);
  const message = `${what} needs ${need.what}, which ${triggers} doesn't always carry`;
  const carrying = TRIGGERS.filter((one) => fieldsOf(TRIGGER_FACTS[one].kind).has(need.field));
  const help = `triggers that carry it: ${carrying.join(", ")}`;
  context.report(at, { code: "action-not-on-trigger", message, help }, "key");
  return false;
}
