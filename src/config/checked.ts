import type * as z from "zod";
import { didYouMean } from "./did-you-mean.ts";
import { knownKeys } from "./known-keys.ts";
import type { Problem } from "./problem.ts";
import type { Path, YamlDocument } from "./yaml-document.ts";

export interface CheckOptions {
  /** Where in the document the checked value stands. The root unless given. */
  readonly at?: Path;
  /** ` in rule "faq"`: said after the name of a key that is unknown or missing. */
  readonly within?: string;
  /** A word for a key that belongs to the language but not to this version, or `undefined`. */
  readonly later?: (key: string) => string | undefined;
}

export interface Checked<T> {
  /** The value, parsed; `undefined` when there are problems. */
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Checks a value of `document` against `schema`, each fault at its place.
 *
 * Where the schema wants text and YAML read a plain number, boolean or null, the text is what stands
 * in the file: `code: 0123` is "0123".
 */
export function checked<T>(
  schema: z.ZodType<T>,
  document: YamlDocument,
  options: CheckOptions = {},
): Checked<T> {
  const base = options.at ?? [];
  const value = structuredClone(valueAt(document.value, base));
  let result = schema.safeParse(value);
  if (!result.success) {
    const repaired = withSourceText(value, result.error.issues, document, base);
    if (repaired !== undefined) result = schema.safeParse(repaired.value);
  }
  if (result.success) return { value: result.data, problems: [] };
  const checker: Checker = { schema, document, base, options };
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, [], checker));
  return { value: undefined, problems: oncePerMistake(problems) };
}

/** One problem a place; and a key that stands there misspelt is not also missing. */
function oncePerMistake(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  const helps = new Set(problems.map((problem) => problem.help));
  return problems.filter(({ line, column, code, message }) => {
    const name = /^"([^"]+)" is missing/.exec(message)?.[1];
    if (code === "missing-key" && helps.has(`did you mean "${name}"?`)) return false;
    const place = `${line}:${column}`;
    return !seen.has(place) && seen.add(place);
  });
}

/** The value at `path` inside plain data, `undefined` when there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = Object.getOwnPropertyDescriptor(inner, step)?.value;
  }
  return inner;
}

interface Checker {
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
  for (const path of issues.flatMap((issue) => textWantedAt(issue, []))) {
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

function textWantedAt(issue: Issue, prefix: Path): Path[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "invalid_type") return issue.expected === "string" ? [path] : [];
  if (issue.code !== "invalid_union") return [];
  return issue.errors.flatMap((branch) => branch.flatMap((inner) => textWantedAt(inner, path)));
}

function problemsOf(issue: Issue, prefix: Path, checker: Checker): Problem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey(key, path, checker));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return unionProblems(issue.errors, path, checker);
  }
  return [oneProblem(issue, path, checker)];
}

/** The faults of the branch that fits best: the one whose outer shape is right. */
function unionProblems(
  branches: readonly (readonly Issue[])[],
  path: Path,
  checker: Checker,
): Problem[] {
  const fitting = branches.filter((issues) => issues.every((issue) => !isWholly(issue)));
  const best = fitting.sort((a, b) => a.length - b.length)[0];
  if (best) return best.flatMap((issue) => problemsOf(issue, path, checker));
  const at = [...checker.base, ...path];
  const value = valueAt(checker.document.value, at);
  const words = branches.flat().find((issue) => issue.code === "invalid_value");
  if (words && typeof value === "string") return [oneProblem(words, path, checker)];
  if (value === undefined) return [missing(path, checker)];
  const wanted = new Set(branches.flat().flatMap((issue) => wantedWords(issue)));
  const message = `this is ${shown(at, checker)}, wanted: ${[...wanted].join(", or ")}`;
  return [checker.document.problemAt(at, { code: "wrong-type", message })];
}

function isWholly(issue: Issue): boolean {
  return (
    issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value")
  );
}

function wantedWords(issue: Issue): string[] {
  if (issue.code === "invalid_type") return [WORDS[issue.expected] ?? issue.expected];
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code === "invalid_union") return issue.errors.flat().flatMap((one) => wantedWords(one));
  return [];
}

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  object: "a map",
  array: "a list",
  record: "a map",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function unknownKey(key: string, path: Path, checker: Checker): Problem {
  const { document, base, options, schema } = checker;
  const at = [...base, ...path, key];
  const later = options.later?.(key);
  if (later !== undefined) {
    return document.problemAt(at, { code: "not-in-this-version", message: later }, "key");
  }
  const known = knownKeys(schema, path);
  const guess = didYouMean(key, known);
  const help = guess === undefined ? `known here: ${known.join(", ")}` : `did you mean "${guess}"?`;
  const message = `unknown key "${key}"${options.within ?? ""}`;
  return document.problemAt(at, { code: "unknown-key", message, help }, "key");
}

function missing(path: Path, checker: Checker): Problem {
  const key = String(path.at(-1) ?? "");
  const within = checker.options.within ?? "";
  return checker.document.problemAt([...checker.base, ...path], {
    code: "missing-key",
    message: key === "" ? "this is empty" : `"${key}" is missing${within}`,
    help: `add  ${key}:`,
  });
}

function oneProblem(issue: Issue, path: Path, checker: Checker): Problem {
  const { document, base } = checker;
  const at = [...base, ...path];
  const value = valueAt(document.value, at);
  if (issue.code === "custom") {
    const params: Readonly<Record<string, unknown>> = issue.params ?? {};
    const code = typeof params["code"] === "string" ? params["code"] : "invalid-value";
    const help = typeof params["help"] === "string" ? params["help"] : undefined;
    return document.problemAt(at, { code, message: issue.message, help });
  }
  if (value === undefined) return missing(path, checker);
  if (issue.code === "invalid_type") {
    const boolean = issue.expected === "boolean" ? BOOLEANS[asWord(value)] : undefined;
    if (boolean !== undefined) return notBoolean(at, boolean, checker);
    const wanted = WORDS[issue.expected] ?? issue.expected;
    const message = `this is ${shown(at, checker)}, wanted: ${wanted}`;
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

function notBoolean(at: Path, boolean: string, checker: Checker): Problem {
  return checker.document.problemAt(at, {
    code: "not-a-boolean",
    message: `${shown(at, checker)} is text, not a boolean (YAML 1.2 knows only true and false)`,
    help: `write ${boolean}`,
  });
}

function shown(at: Path, checker: Checker): string {
  const value = valueAt(checker.document.value, at);
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? `"${value}"` : asWord(value);
}

function asWord(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : (JSON.stringify(value) ?? "missing");
}
