import type { Path } from "../../config/yaml-document.ts";
import { LONGEST_KEY, type RunMode } from "../decide/mode.ts";
import type { RuleMap } from "../file-schema/rule-file.ts";
import { isTooLong } from "../steps/written/written-text.ts";
import type { CompileContext } from "./compile-context.ts";

/** Value of `max` (number of simultaneous or queued runs) if the rule has none. */
const DEFAULT_MAX_RUNS = 10;

/** Compiles `mode`, `key` and `max`, which govern simultaneous runs of a rule. Problems go to the context. */
export function compileMode(
  context: CompileContext,
  path: Path,
  { mode, key, max }: Pick<RuleMap, "mode" | "key" | "max">,
): RunMode | undefined {
  if (mode === undefined) {
    const stray = key === undefined ? "max" : "key";
    if (key === undefined && max === undefined) return undefined;
    const message = `"${stray}" has no effect without a mode: all runs are independent`;
    const help = "add  mode: queued";
    return context.report([...path, stray], { code: "key-without-mode", message, help }, "key");
  }
  if (max !== undefined && (mode === "single" || mode === "restart")) {
    const message = `"max" has no meaning with  mode: ${mode}: there is one run at a time`;
    const help = "remove it, or write  mode: queued";
    return context.report([...path, "max"], { code: "max-without-use", message, help }, "key");
  }
  if (key === undefined) return { mode, max: max ?? DEFAULT_MAX_RUNS };
  const at = [...path, "key"];
  if (isTooLong(context, at, key, { what: "a key", max: LONGEST_KEY })) return undefined;
  const template = context.template(at, key);
  if (template?.expressions.length === 0 && context.readsField(key)) {
    const message = `this is the text "${key}", so all runs have the same key`;
    const help = `to evaluate it, write  key: \${{ ${key} }}`;
    context.report(at, { code: "expression-as-text", severity: "warning", message, help });
  }
  return template && { mode, max: max ?? DEFAULT_MAX_RUNS, key: template };
}
