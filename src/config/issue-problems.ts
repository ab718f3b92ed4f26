import { safeParse } from "zod/v4/core";
import type * as z from "zod";
import type { CheckOptions } from "./check-options.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { DURATION } from "../system/duration.ts";
import { knownKeys, takesPattern } from "./known-keys.ts";
import type { Problem } from "./problem.ts";
import { durationOfUnits, suggestForPattern, suggestForType } from "./suggest-value.ts";
import { valueAt } from "./value-at.ts";
import type { Path, YamlDocument } from "./yaml-document.ts";
import { ownMember } from "../system/own-member.ts";

/** Schema, document and options of a check. */
export interface CheckContext {
  readonly schema: z.core.$ZodType;
  readonly document: YamlDocument;
  readonly base: Path;
  readonly options: CheckOptions;
}

export type Issue = z.core.$ZodIssue;

/** Converts a schema's issue to problems with their positions. */
export function problemsOf(issue: Issue, prefix: Path, checker: CheckContext): Problem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKeyProblem(key, path, checker));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    return unionProblems(issue.errors, path, checker);
  }
  return [oneProblem(issue, path, checker)];
}

/**
 * Returns the problems of a union's best-matching branch: of those whose outer shape (map, list or text) fits, the one
 * with the fewest issues.
 */
function unionProblems(
  branches: readonly (readonly Issue[])[],
  path: Path,
  checker: CheckContext,
): Problem[] {
  const mapped = durationMapProblem(path, checker);
  if (mapped !== undefined) return [mapped];
  const fitting = branches.filter((issues) => issues.every((issue) => !concernsWholeValue(issue)));
  const best = fitting.sort((a, b) => a.length - b.length)[0];
  if (best) return best.flatMap((issue) => problemsOf(issue, path, checker));
  const at = [...checker.base, ...path];
  const value = valueAt(checker.document.value, at);
  const words = branches.flat().find((issue) => issue.code === "invalid_value");
  if (words && typeof value === "string") return [oneProblem(words, path, checker)];
  if (value === undefined) return [missingProblem(path, checker)];
  const wanted = [...new Set(branches.flat().flatMap((issue) => expectedTypes(issue)))];
  return [wrongType(wanted, path, checker)];
}

/**
 * Returns the problem of a duration that is written as a map of units, as in other tools; undefined for other values.
 */
function durationMapProblem(
  path: Path,
  { base, document, schema }: CheckContext,
): Problem | undefined {
  if (!takesPattern(schema, path, DURATION)) return undefined;
  const at = [...base, ...path];
  const duration = durationOfUnits(valueAt(document.value, at));
  if (duration === undefined) return undefined;
  const key = path.findLast((step) => typeof step === "string") ?? "";
  const message = "this is a map of units: a duration is one number and one unit";
  return document.problemAt(at, {
    code: "wrong-type",
    message,
    help: `write  ${key}: ${duration}`,
  });
}

function wrongType(wanted: readonly string[], path: Path, checker: CheckContext): Problem {
  const mapped = durationMapProblem(path, checker);
  if (mapped !== undefined) return mapped;
  const at = [...checker.base, ...path];
  const value = valueAt(checker.document.value, at);
  const message = `this is ${shown(at, checker)}, expected: ${wanted.join(", or ")}`;
  const source = typeof value === "number" ? checker.document.sourceAt(at) : undefined;
  const item = wanted.includes("a list") ? (source ?? value) : value;
  const help =
    checker.options.value?.(path, item) ??
    suggestForType(item, wanted, {
      keys: knownKeys(checker.schema, path),
      orWithout: orWithoutKey(path, checker),
    });
  return checker.document.problemAt(at, { code: "wrong-type", message, help });
}

function concernsWholeValue(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === "invalid_union") {
    return issue.errors.every((branch) => branch.some((inner) => concernsWholeValue(inner)));
  }
  return issue.code === "invalid_type" || issue.code === "invalid_value";
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
    const help = "remove it; it comes with a later version";
    return document.problemAt(at, { code: "not-in-this-version", help, ...mistake }, "key");
  }
  const allowedKeys = knownKeys(schema, path);
  const guess = options.meant?.(key, path) ?? didYouMean(key, allowedKeys);
  const listed = allowedKeys.length === 0 ? "remove it" : `known here: ${allowedKeys.join(", ")}`;
  const word = guess === undefined ? listed : `did you mean "${guess}"?`;
  const help = options.form?.(key, path, valueAt(document.value, at)) ?? word;
  const message = `unknown key "${key}"${options.within ?? ""}`;
  return document.problemAt(at, { code: "unknown-key", message, help }, "key");
}

function missingProblem(path: Path, checker: CheckContext, value = ""): Problem {
  const key = String(path.at(-1) ?? "");
  const within = checker.options.within ?? "";
  return checker.document.problemAt([...checker.base, ...path], {
    code: "missing-key",
    message: key === "" ? "this is empty" : `"${key}" is missing${within}`,
    help: `add  ${key}: ${value === "" ? (SAMPLES[key] ?? "") : value}`.trimEnd(),
  });
}

/** Values in the help for a missing key whose form is not obvious. */
const SAMPLES: Readonly<Record<string, string>> = {
  trigger: "dm.received",
  url: "https://example.com/path",
  window: "7d",
  zone: "Europe/Berlin",
};

/** Returns the value of a key that has a single valid value; empty for other keys. */
function onlyValue(issue: Issue): string {
  return issue.code === "invalid_value" && issue.values.length === 1 ? String(issue.values[0]) : "";
}

function oneProblem(issue: Issue, path: Path, checker: CheckContext): Problem {
  const { document, base, options } = checker;
  const at = [...base, ...path];
  const value = valueAt(document.value, at);
  if (issue.code === "custom") {
    const params: Readonly<Record<string, unknown>> = issue.params ?? {};
    const code = typeof params["code"] === "string" ? params["code"] : "invalid-value";
    const help = typeof params["help"] === "string" ? params["help"] : undefined;
    const part = params["part"] === "key" ? "key" : "value";
    const { message } = issue;
    return document.problemAt(
      at,
      { code, message, help: help ?? options.value?.(path, value) },
      part,
    );
  }
  if (value === undefined) return missingProblem(path, checker, onlyValue(issue));
  if (issue.code === "invalid_type") {
    const boolean = issue.expected === "boolean" ? ownMember(BOOLEANS, asWord(value)) : undefined;
    if (boolean !== undefined) return notBoolean(at, boolean, checker);
    return wrongType([TYPE_NAMES[issue.expected] ?? issue.expected], path, checker);
  }
  if (issue.code === "invalid_value") {
    const values = issue.values.map(String);
    const meant = options.value?.(path, value);
    if (meant === undefined && typeof value === "string" && values.includes(value)) {
      const message = `"${value}" is text because of its quotes`;
      return document.problemAt(at, { code: "wrong-type", message, help: `write ${value}` });
    }
    const guess = didYouMean(asWord(value), values);
    const message = `${shown(at, checker)} is not one of: ${values.join(", ")}`;
    const one = values.length === 1 ? `write ${values[0]}` : `write one of: ${values.join(", ")}`;
    const help = meant ?? (guess === undefined ? one : `did you mean "${guess}"?`);
    return document.problemAt(at, { code: "unknown-word", message, help });
  }
  // schema messages may contain a suggestion after ": write"
  const { message } = issue;
  const [, advice] = message.split(": write ", 2);
  const help =
    options.value?.(path, value) ??
    helpForValue(issue, value, orWithoutKey(path, checker)) ??
    (advice === undefined ? undefined : `write ${advice}`);
  return document.problemAt(at, { code: "invalid-value", message, help });
}

/** Returns the advice to leave the key at `path` out; empty if the map would be refused without the key. */
function orWithoutKey(path: Path, { base, document, schema, options }: CheckContext): string {
  const key = path.at(-1);
  const around = path.slice(0, -1);
  const { mayBeLeftOut } = options;
  const isPermitted = mayBeLeftOut === "any" || (mayBeLeftOut === "outer" && around.length === 0);
  if (!isPermitted || typeof key !== "string") return "";
  const whole = structuredClone(valueAt(document.value, base));
  const map = valueAt(whole, around);
  if (typeof map !== "object" || map === null) return "";
  Reflect.deleteProperty(map, key);
  const { error } = safeParse(schema, whole);
  const spots = [path, around].map((spot) => JSON.stringify(spot));
  const isNeeded = error?.issues.some((issue) => spots.includes(JSON.stringify(issue.path)));
  return isNeeded === true ? "" : ", or leave the key out";
}

/** @param orWithout Further advice for an empty value, from {@link orWithoutKey}. */
function helpForValue(issue: Issue, value: unknown, orWithout: string): string | undefined {
  if (issue.code === "too_small") {
    if (issue.origin === "array") return `write one item or more${orWithout}`;
    if (issue.origin === "string" && issue.minimum > 1) {
      return `write ${issue.minimum} characters or more${orWithout}`;
    }
    if (issue.origin === "string") return `write a text${orWithout}`;
    return `write ${issue.minimum} or more`;
  }
  if (issue.code === "too_big") return `write ${issue.maximum} or less`;
  if (issue.code !== "invalid_format" || issue.pattern === undefined) return undefined;
  // Only `/…/flags` is the value's pattern: for URLs, zod reports the pattern of the protocol or host without slashes.
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/su.exec(issue.pattern) ?? [];
  if (source === undefined) return undefined;
  const pattern = new RegExp(source, flags);
  const isBareTime =
    /^\d+$/.test(String(value)) && !pattern.test("x") && pattern.test(`${String(value)}m`);
  if (isBareTime) return `write ${String(value)}s for seconds, ${String(value)}m for minutes`;
  const put = suggestForPattern(value, pattern);
  return put === undefined ? undefined : `write ${put}`;
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
