import type * as z from "zod";
import { type CheckContext, type Issue, problemsOf } from "./issue-problems.ts";
import type { Problem } from "./problem.ts";
import type { CheckOptions } from "./check-options.ts";
import { valueAt } from "./value-at.ts";
import type { Path, YamlDocument } from "./yaml-document.ts";

export type { CheckOptions } from "./check-options.ts";
export { valueAt } from "./value-at.ts";

export interface CheckResult<T> {
  /** The value, parsed; `undefined` when there are problems. */
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Checks a value of `document` against `schema`, with the position of each problem.
 *
 * If the schema requires a text and YAML has read a number, boolean or null, the value is the text in the file:
 * `code: 0123` is "0123".
 */
export function checkValue<T>(
  schema: z.ZodType<T>,
  document: YamlDocument,
  options: CheckOptions = {},
): CheckResult<T> {
  const base = options.at ?? [];
  const value = valueAt(document.value, base);
  let result = schema.safeParse(value);
  if (!result.success) {
    const repaired = withSourceText(value, result.error.issues, document, base);
    if (repaired !== undefined) result = schema.safeParse(repaired.value);
  }
  if (result.success) return { value: result.data, problems: [] };
  const checker: CheckContext = { schema, document, base, options };
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, [], checker));
  return { value: undefined, problems: withoutDuplicates(problems) };
}

/** Keeps at most one problem per position. Drops the report of a missing key if another problem suggests this key. */
function withoutDuplicates(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  const helps = new Set(problems.map((problem) => problem.help));
  return problems.filter(({ file, line, column, code, message }) => {
    const name = /^"([^"]+)" is missing/.exec(message)?.[1];
    const isCalledOtherwise = [...helps].some(
      (help) => help === `did you mean "${name}"?` || help?.startsWith(`write  ${name}: `) === true,
    );
    if (code === "missing-key" && isCalledOtherwise) return false;
    const place = `${file}:${line}:${column}`;
    return !seen.has(place) && seen.add(place);
  });
}

/**
 * Returns a copy of `value` with the file's own text wherever the schema accepts only a text; undefined if nothing
 * changes.
 */
function withSourceText(
  value: unknown,
  issues: readonly Issue[],
  document: YamlDocument,
  base: Path,
): { readonly value: unknown } | undefined {
  let repaired: { value: unknown } | undefined;
  for (const path of issues.flatMap((issue) => pathsExpectingText(issue, []))) {
    const at = [...base, ...path];
    const source = document.sourceAt(at);
    const read = valueAt(document.value, at);
    if (source === undefined || source === "" || typeof read === "object") continue;
    repaired ??= { value: structuredClone(value) };
    const parent = valueAt(repaired.value, path.slice(0, -1));
    const key = path.at(-1);
    if (typeof parent === "object" && parent !== null && key !== undefined) {
      Object.defineProperty(parent, key, { value: source, enumerable: true, writable: true });
    }
  }
  return repaired;
}

function pathsExpectingText(issue: Issue, prefix: Path): Path[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "invalid_type") return issue.expected === "string" ? [path] : [];
  if (issue.code !== "invalid_union") return [];
  return issue.errors.flatMap((branch) =>
    branch.flatMap((inner) => pathsExpectingText(inner, path)),
  );
}
