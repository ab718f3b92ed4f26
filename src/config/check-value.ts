import type * as z from "zod";
import { didYouMean } from "./did-you-mean.ts";
import { knownKeys } from "./known-keys.ts";
import type { Mistake, Problem } from "./problem.ts";
import type { Path, YamlDocument } from "./yaml-document.ts";

export interface CheckOptions {
  /** Position of the checked value in the document. The root unless given. */
  readonly at?: Path;
  /** ` in rule "faq"`: put after the name of a key that is unknown or missing. */
  readonly within?: string;
  /**
   * Why a key that this version does not support is refused; `undefined` when the key is just unknown.
   *
   * @param path Of the map that holds the key, from the checked value.
   */
  readonly reserved?: (
    key: string,
    path: Path,
  ) => string | Pick<Mistake, "message" | "help"> | undefined;
}

export interface CheckResult<T> {
  /** The value, parsed; `undefined` when there are problems. */
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Checks a value of `document` against `schema`, with the position of each problem.
 *
 * Where the schema wants text and YAML read a plain number, boolean or null, the value is the text
 * of the file: `code: 0123` is "0123".
 */
export function checkValue<T>(
  schema: z.ZodType<T>,
  document: YamlDocument,
  options: CheckOptions = {},
): CheckResult<T> {
  const base = options.at ?? [];
  const value = structuredClone(valueAt(document.value, base));
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

/** At most one problem per position; a misspelt key is not also reported as missing. */
function withoutDuplicates(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  const helps = new Set(problems.map((problem) => problem.help));
  return problems.filter(({ line, column, code, message }) => {
    const name = /^"([^"]+)" is missing/.exec(message)?.[1];
    if (code === "missing-key" && helps.has(`did you mean "${name}"?`)) return false;
    const place = `${line}:${column}`;
    return !seen.has(place) && seen.add(place);
  });
}

/** The value at `path` inside plain data; `undefined` when there is no such path. */
export function valueAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = Object.getOwnPropertyDescriptor(inner, step)?.value;
  }
  return inner;
}

interface CheckContext {
  readonly schema: z.core.$ZodType;
  readonly document: YamlDocument;
  readonly base: Path;
  readonly options: CheckOptions;
}

type Issue = z.core.$ZodIssue;

/** `value` with the source text at every place where only text would do. */
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
    repaired ??= { value };
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

function problemsOf(issue: Issue, prefix: Path, checker: CheckContext): Problem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKeyProblem(key, path, checker));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return unionProblems(issue.errors, path, checker);
  }
  return [oneProblem(issue, path, checker)];
}

/** The problems of the branch that fits best: the one whose outer shape matches. */
function unionProblems(
  branches: readonly (readonly Issue[])[],
  path: Path,
  checker: CheckContext,
): Problem[] {
  const fitting = branches.filter((issues) => issues.every((issue) => !concernsWholeValue(issue)));
  const best = fitting.sort((a, b) => a.length - b.length)[0];
  if (best) return best.flatMap((issue) => problemsOf(issue, path, checker));
  const at = [...checker.base, ...path];
  const value = valueAt(checker.document.value, at);
  const words = branches.flat().find((issue) => issue.code === "invalid_value");
  if (words && typeof value === "string") return [oneProblem(words, path, checker)];
  if (value === undefined) return [missingProblem(path, checker)];
  const wanted = new Set(branches.flat().flatMap((issue) => expectedTypes(issue)));
  const message = `this is ${shown(at, checker)}, expected: ${[...wanted].join(", or ")}`;
  return [checker.document.problemAt(at, { code: "wrong-type", message })];
}

function concernsWholeValue(issue: Issue): boolean {
  return (
    issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value")
  );
}

function expectedTypes(issue: Issue): string[] {
  if (issue.code === "invalid_type") return [TYPE_NAMES[issue.expected] ?? issue.expected];
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code === "invalid_union")
    return issue.errors.flat().flatMap((one) => expectedTypes(one));
  return [];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  object: "a map",
  array: "a list",
  record: "a map",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function unknownKeyProblem(key: string, path: Path, checker: CheckContext): Problem {
  const { document, base, options, schema } = checker;
  const at = [...base, ...path, key];
  const reserved = options.reserved?.(key, path);
  if (reserved !== undefined) {
    const mistake = typeof reserved === "string" ? { message: reserved } : reserved;
    return document.problemAt(at, { code: "not-in-this-version", ...mistake }, "key");
  }
  const known = knownKeys(schema, path);
  const guess = didYouMean(key, known);
  const help = guess === undefined ? `known here: ${known.join(", ")}` : `did you mean "${guess}"?`;
  const message = `unknown key "${key}"${options.within ?? ""}`;
  return document.problemAt(at, { code: "unknown-key", message, help }, "key");
}

function missingProblem(path: Path, checker: CheckContext): Problem {
  const key = String(path.at(-1) ?? "");
  const within = checker.options.within ?? "";
  return checker.document.problemAt([...checker.base, ...path], {
    code: "missing-key",
    message: key === "" ? "this is empty" : `"${key}" is missing${within}`,
    help: `add  ${key}:`,
  });
}

function oneProblem(issue: Issue, path: Path, checker: CheckContext): Problem {
  const { document, base } = checker;
  const at = [...base, ...path];
  const value = valueAt(document.value, at);
  if (issue.code === "custom") {
    const params: Readonly<Record<string, unknown>> = issue.params ?? {};
    const code = typeof params["code"] === "string" ? params["code"] : "invalid-value";
    const help = typeof params["help"] === "string" ? params["help"] : undefined;
    return document.problemAt(at, { code, message: issue.message, help });
  }
  if (value === undefined) return missingProblem(path, checker);
  if (issue.code === "invalid_type") {
    const boolean = issue.expected === "boolean" ? BOOLEANS[asWord(value)] : undefined;
    if (boolean !== undefined) return notBoolean(at, boolean, checker);
    const wanted = TYPE_NAMES[issue.expected] ?? issue.expected;
    const message = `this is ${shown(at, checker)}, expected: ${wanted}`;
    return document.problemAt(at, { code: "wrong-type", message });
  }
  if (issue.code === "invalid_value") {
    const values = issue.values.map(String);
    const guess = didYouMean(asWord(value), values);
    const message = `${shown(at, checker)} is not one of: ${values.join(", ")}`;
    const help = guess === undefined ? undefined : `did you mean "${guess}"?`;
    return document.problemAt(at, { code: "unknown-word", message, help });
  }
  return document.problemAt(at, { code: "invalid-value", message: issue.message });
}

const BOOLEANS: Readonly<Record<string, string>> = {
  on: "true",
  yes: "true",
  y: "true",
  off: "false",
  no: "false",
  n: "false",
};

function notBoolean(at: Path, boolean: string, checker: CheckContext): Problem {
  return checker.document.problemAt(at, {
    code: "not-a-boolean",
    message: `${shown(at, checker)} is text, not a boolean (YAML 1.2 knows only true and false)`,
    help: `write ${boolean}`,
  });
}

function shown(at: Path, checker: CheckContext): string {
  const value = valueAt(checker.document.value, at);
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? `"${value}"` : asWord(value);
}

function asWord(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : (JSON.stringify(value) ?? "missing");
}
