import { checkValue, valueAt } from "../../../config/check-value.ts";
import type { Problem } from "../../../config/problem.ts";
import type { YamlDocument } from "../../../config/yaml-document.ts";
import { stateDefaults, stateValue } from "../../schema/shared-keys.ts";
import type { DeclaredState } from "../state/declared-state.ts";
import { stateMistake } from "../state/state-names.ts";
import { typeOfConstant } from "../value-types/constant-type.ts";

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
    problems.push(...checkValue(stateDefaults, document, { at: ["state"] }).problems);
  }
  for (const name of isMap ? Object.keys(written) : []) {
    const at = ["state", name];
    const path = name.startsWith("state.") ? name : `state.${name}`;
    const [, owner = "", variable, ...deeper] = path.split(".");
    const mistake = stateMistake(owner, deeper.length > 0 ? undefined : variable);
    if (mistake !== undefined) {
      const help = "write one of:  sender.NAME, conversation.NAME, account.NAME";
      problems.push(document.problemAt(at, { ...mistake, help }, "key"));
      continue;
    }
    const { value, problems: wrong } = checkValue(stateValue, document, { at });
    problems.push(...wrong);
    if (value !== undefined) declared.set(path, { value, type: typeOfConstant(value) });
  }
  return { declared, problems: () => problems };
}
