import { asText } from "../../../text/as-text.ts";
import { checkValue, valueAt } from "../../../config/check-value.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { YamlDocument } from "../../../config/yaml-document.ts";
import { stateDefaults, stateValue } from "../../file-schema/shared-keys.ts";
import { type DeclaredState, stateMistake } from "../../expression/state-names.ts";
import { listedState, otherDefault, otherState } from "../habits/other-state.ts";
import { changedNumber } from "../../steps/written/step-argument.ts";
import { typeOfConstant } from "../../expression/value-types/constant-type.ts";

/** Defaults of state that a rule file has under `state:`, by path: `state.sender.score`. */
export interface StateDefaults {
  readonly declared: ReadonlyMap<string, DeclaredState>;
  readonly problems: () => readonly Problem[];
}

export function stateDefaultsOf(document: YamlDocument): StateDefaults {
  const written = valueAt(document.value, ["state"]);
  const isMap = typeof written === "object" && written !== null && !Array.isArray(written);
  const declared = new Map<string, DeclaredState>();
  const problems: Problem[] = [];
  if (written !== undefined && !isMap) {
    const { names, help } = listedState(written);
    for (const path of names) declared.set(path, UNKNOWN);
    const listProblems = checkValue(stateDefaults, document, { at: ["state"] }).problems;
    problems.push(...listProblems.map((one) => (help === undefined ? one : { ...one, help })));
  }
  for (const [name, value] of isMap ? Object.entries(written) : []) {
    const at = ["state", name];
    const path = name.startsWith("state.") ? name : `state.${name}`;
    const [, owner = "", variable, ...deeper] = path.split(".");
    const mistake = stateMistake(owner, deeper.length > 0 ? undefined : variable);
    if (mistake !== undefined) {
      const { names, help } = otherState(name, value);
      // a wrong declaration is reported once: rules that read the state may use it as any type
      for (const one of names) declared.set(one, UNKNOWN);
      problems.push(document.problemAt(at, { ...mistake, help }, "key"));
      continue;
    }
    const form = otherDefault(value);
    const checked = checkValue(stateValue, document, { at });
    problems.push(
      ...checked.problems.map((one) =>
        form === undefined ? one : { ...one, help: `write ${form}` },
      ),
    );
    if (checked.value === undefined) declared.set(path, UNKNOWN);
    else if (form === undefined) {
      const changed = changedNumber(value, document.sourceAt(at));
      if (changed !== undefined) problems.push(document.problemAt(at, changed));
      declared.set(path, { value: checked.value, type: typeOfConstant(checked.value) });
    } else {
      problems.push(document.problemAt(at, typeAsText(name, asText(value), form)));
      declared.set(path, { ...UNKNOWN, value: checked.value });
    }
  }
  return { declared, problems: () => problems };
}

/** Type of state with a wrong default: expressions may use it as any type. */
const UNKNOWN: DeclaredState = { value: 0, type: "dyn" };

/** Returns the warning about a default such as `number`: the name of a type in place of a value. */
function typeAsText(name: string, type: string, form: string): Mistake {
  const message = `the default of ${name} is the text "${type}"`;
  const help = `write the default itself:  ${name}: ${form}`;
  return { code: "state-type", severity: "warning", message, help };
}
