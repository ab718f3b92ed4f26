import type { Path } from "../../../config/yaml-document.ts";
import { triggersWithout } from "../../schema/fields.ts";
import { STATE_OWNERS, type StateUse } from "../../schema/state-keys.ts";
import { statePathFor, stateMistake, valueUse } from "../../expression/state-names.ts";
import type { StepContext } from "../step-context.ts";

/** Value of user state that a step changes. */
export type StateTarget = Extract<StateUse, { readonly kind: "value" }>;

/**
 * Finds the value `state.OWNER.NAME` that a step changes. Problems go to the context.
 *
 * @param part Position of the name: the key of a map, or the value at `path`.
 */
export function stateTarget(
  context: StepContext,
  path: Path,
  name: string,
  part: "key" | "value",
): StateTarget | undefined {
  const [root = "", owner = "", variable, ...deeper] = name.split(".");
  const of = STATE_OWNERS.find((one) => one === owner);
  const wrong = deeper.length > 0 ? undefined : variable;
  const mistake = root === "state" ? stateMistake(owner, wrong) : undefined;
  if (root !== "state" || of === undefined || variable === undefined || mistake) {
    const message = `"${name}" can't be set`;
    const declared = [...(context.scope.declared?.keys() ?? [])];
    const meant = statePathFor(name, declared);
    const isMeant = declared.includes(meant) && meant !== name;
    const help = isMeant
      ? `did you mean "${meant}"?`
      : `write  state.sender.NAME, state.conversation.NAME or state.account.NAME`;
    const targetMistake = mistake ?? { code: "unknown-key", message };
    const helpText = isMeant || mistake === undefined ? help : mistake.help;
    return context.report(path, { ...targetMistake, help: helpText }, part);
  }
  if (of === "sender" && !context.scope.fields.has("sender.id")) {
    const message = `"${name}" needs a person, which ${triggersWithout("sender.id", context.scope.triggers)} doesn't always carry`;
    const help = "write  state.account.NAME";
    return context.report(path, { code: "action-not-on-trigger", message, help }, part);
  }
  const use = valueUse(of, variable, context.scope);
  context.uses(use);
  return use;
}
