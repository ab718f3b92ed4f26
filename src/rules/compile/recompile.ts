import { valueAt } from "../../config/check-value.ts";
import type { CompiledRule } from "../ruleset.ts";
import { callableRules, openFile } from "./calling/calls.ts";
import { outlineOf } from "./calling/rule-outline.ts";
import { idIn } from "../rule-file-source.ts";
import { compileRule } from "./compile-rule.ts";

/** One revision of a rule, and the file that it stood in: what is stored for a run that goes on later. */
export interface PinnedRule extends Source {
  readonly ruleId: string;
  readonly revision: string;
  /** Other files, in which rules stand whose steps it runs. */
  readonly runs?: readonly Source[];
}

/** Of its named files only those that the rule needs have to be there. */
type Source = CompiledRule["source"];

/**
 * Compiles one rule as it was, whatever has become of the others of its file.
 *
 * @returns `undefined` when this version of the language gives the rule another revision, or refuses it.
 */
export function recompile({ ruleId, revision, ...source }: PinnedRule): CompiledRule | undefined {
  return recompileAll(source, new Set([ruleId])).find((rule) => rule.revision === revision);
}

/** Compiles those rules of a file whose ids are given, as far as they can be. */
export function recompileAll(
  { runs = [], ...source }: Source & Pick<PinnedRule, "runs">,
  ids: ReadonlySet<string>,
): readonly CompiledRule[] {
  const { path, use } = source;
  const own = openFile(source);
  const files = [own, ...runs.map(openFile)];
  const callable = callableRules(
    files.map((file) => outlineOf({ ...file, place: [], note: "", circles: [] })),
    (wanted) => files.find((file) => file.source === wanted) ?? openFile(wanted),
  );
  const { document, shared } = own;
  const place = use === undefined ? [path] : [use.by, 1, 0];
  const list = valueAt(document.value, ["rules"]);
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) => {
    const id = valueAt(value, ["id"]);
    if (typeof id !== "string" || !ids.has(idIn(source, id))) return [];
    // its group may be declared in another file, and was there when the rule was compiled
    const groups = new Set([String(valueAt(value, ["group"]))]);
    const surroundings = { groups, shared, source, callable, place };
    return compileRule(document, ["rules", index], surroundings).rule ?? [];
  });
}
