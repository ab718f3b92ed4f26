import { valueAt } from "../../config/check-value.ts";
import type { CompiledRule } from "../ruleset.ts";
import { callableRules, openFile } from "./calling/calls.ts";
import { outlineOf } from "./calling/rule-outline.ts";
import { idIn } from "../rule-file-source.ts";
import { compileRule } from "./compile-rule.ts";

/** Revision of a rule, with the text of its file. Stored for a run that continues later. */
export interface PinnedRule extends Source {
  readonly ruleId: string;
  readonly revision: string;
  /** Other files with rules that the rule calls. */
  readonly runs?: readonly Source[];
}

/** Source of a rule file. `named` may be limited to the files that the rule needs. */
type Source = CompiledRule["source"];

/**
 * Compiles the stored revision of one rule, independent of the other rules of its file.
 *
 * @returns `undefined` if this version of the language gives the rule another revision, or rejects it.
 */
export function recompile({ ruleId, revision, ...source }: PinnedRule): CompiledRule | undefined {
  return recompileAll(source, new Set([ruleId])).find((rule) => rule.revision === revision);
}

/** Compiles the rules of a file with these ids. Rules with errors are absent. */
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
    // the group may be declared in another file; it was checked when the rule was first compiled
    const groups = new Set([String(valueAt(value, ["group"]))]);
    const surroundings = { groups, shared, source, callable, place };
    return compileRule(document, ["rules", index], surroundings).rule ?? [];
  });
}
