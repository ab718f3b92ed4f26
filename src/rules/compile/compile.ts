import { type Mistake, type Problem, withoutIgnored } from "../../config/problem.ts";
import type { AccessLevel } from "../../protocol/access.ts";
import { type InPieces, inOnePiece } from "../../system/in-pieces.ts";
import { contentHash } from "../../system/content-hash.ts";
import type { NamedFiles } from "../named-files.ts";
import { type CompiledRule, makeRuleset, type Ruleset } from "../ruleset.ts";
import { repeatedIds } from "./calling/repeated-ids.ts";
import type { FileResult } from "./files/compile-file.ts";
import { CompiledFiles } from "./files/compiled-files.ts";
import { claimedTwice } from "./project/former-ids.ts";
import { loopsOfRules } from "./project/loops.ts";
import { beyondLevel } from "./project/permissions.ts";
import { Documents, PlacedRule } from "./project/placed-rule.ts";
import { answersOfTwoFiles } from "./project/two-files.ts";
import { silencingRules } from "./silence/silencing-rules.ts";
import { stateConflicts } from "./project/state-conflicts.ts";
import { stoppedRuns } from "./project/stopped-runs.ts";
import { unreachableRules } from "./project/unreachable.ts";

/** Rule file to compile. */
export interface SourceFile {
  /** Path of the file, shown in problems. Files are in the order of their paths. */
  readonly path: string;
  readonly text: string;
  /** Contents of the files that the rule file names, as `withNamedFiles` reads them. */
  readonly named?: NamedFiles;
}

/** Result of a compilation. Rules with errors are absent or run in their last working version. */
export interface Compiled {
  readonly ruleset: Ruleset;
  /** Problems in the order of files and lines. */
  readonly problems: readonly Problem[];
  /** Last working versions of rules that now have errors. These versions keep running. */
  readonly oldRules: readonly CompiledRule[];
}

/** Limits, cache and permission level for {@link compile}. */
export interface CompileOptions {
  /** Maximum number of problems per file. Beyond it, the file's remaining rules are not compiled. Default: no limit. */
  readonly problemsOfFile?: number;
  /** Cache of files compiled before with the same options: unchanged files are not compiled again. */
  readonly fileCache?: CompiledFiles;
  /** Permission level of the app. Triggers and steps that this level does not allow are reported. Absent: unknown. */
  readonly level?: AccessLevel | undefined;
}

/**
 * Compiles rule files. An error in a rule does not affect other rules.
 *
 * @param previous The ruleset in force. Its rules that have errors now keep running in their previous version.
 */
export function compile(
  files: readonly SourceFile[],
  previous?: Ruleset,
  options?: CompileOptions,
): Compiled {
  return inOnePiece(compiling(files, previous, options));
}

/** Compiles like {@link compile}, in pieces of a few milliseconds. Parsing the YAML of one file is a single piece. */
export function* compiling(
  files: readonly SourceFile[],
  previous?: Ruleset,
  { problemsOfFile = Infinity, fileCache = new CompiledFiles(), level }: CompileOptions = {},
): InPieces<Compiled> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const { units: compiled, circles } = yield* fileCache.compiling(sorted, problemsOfFile);
  const documents = new Documents();
  const { rules, repeated } = withoutRepeats(
    compiled.flatMap((one) => one.rules.map((rule) => new PlacedRule(rule, documents))),
  );
  yield;
  const problems = [
    ...unique([...circles, ...compiled.flatMap((one) => one.problems)]),
    ...repeatedIds(compiled, documents, problemsOfFile),
    ...repeated,
    ...(yield* projectProblems(rules)),
    ...(level === undefined ? [] : beyondLevel(rules, level)),
    ...stoppedRuns(rules, new Set(compiled.flatMap((one) => one.broken))),
  ];
  const { inForce, oldRules } = rulesInForce(rules, compiled, previous);
  yield;
  const revision = revisionOf(inForce);
  yield;
  return { ruleset: makeRuleset(inForce, revision), problems: inOrder(problems, sorted), oldRules };
}

/** Hashes the ids and revisions of rules, in their order. */
export function revisionOf(rules: readonly Pick<CompiledRule, "id" | "revision">[]): string {
  return contentHash(rules.map((rule) => `${rule.id}@${rule.revision}`).join("\n"));
}

/** Returns problems that concern several rules, such as loops and unreachable rules. */
function* projectProblems(rules: readonly PlacedRule[]): InPieces<readonly Problem[]> {
  const hidden = yield* unreachableRules(rules);
  const twice = yield* answersOfTwoFiles(rules);
  const problems = [...hidden, ...twice];
  for (const check of [
    claimedTwice,
    lonelyFallbacks,
    loopsOfRules,
    silencingRules,
    stateConflicts,
  ]) {
    problems.push(...check(rules));
    yield;
  }
  return problems;
}

/** Returns the rules that decide from now on: compiled rules, and previous versions of rules that have errors. */
function rulesInForce(
  placedRules: readonly PlacedRule[],
  compiled: readonly FileResult[],
  previous: Ruleset | undefined,
): { readonly inForce: readonly CompiledRule[]; readonly oldRules: readonly CompiledRule[] } {
  const broken = new Set(compiled.flatMap((one) => one.broken));
  const unreadable = new Set(compiled.filter((one) => !one.readable).map((one) => one.file));
  const ids = new Set(placedRules.map(({ rule }) => rule.id));
  const oldRules = (previous?.rules ?? []).filter(
    (rule) => !ids.has(rule.id) && (broken.has(rule.id) || unreadable.has(rule.file)),
  );
  const rules = placedRules.map(({ rule }) => rule);
  return {
    inForce: oldRules.length === 0 ? rules : [...rules, ...oldRules].sort(byPlace),
    oldRules,
  };
}

/** Returns the problems in the order of files and lines. Omits problems that comments in the files ignore. */
function inOrder(all: readonly Problem[], files: readonly SourceFile[]): readonly Problem[] {
  const order = new Map(files.map(({ path }, index) => [path, index]));
  const placeOf = ({ file }: Problem): number => order.get(file) ?? files.length;
  return [...withoutIgnored(all)].sort(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column,
  );
}

function byPlace(a: CompiledRule, b: CompiledRule): number {
  for (const [index, one] of a.place.entries()) {
    const other = b.place[index] ?? 0;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** Removes repeated problems of shared parts: keeps one problem per place and code. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  const keyOf = ({ file, line, column, code }: Problem) => `${file}:${line}:${column}:${code}`;
  const problemByKey = new Map<string, Problem>();
  for (const problem of problems) {
    const before = problemByKey.get(keyOf(problem));
    // the shorter message names no calling rule, so it holds for all calling rules
    const isWider = before?.message.startsWith(problem.message) ?? true;
    if (isWider) problemByKey.set(keyOf(problem), problem);
  }
  return [...problemByKey.values()];
}

function repeatedId(first: CompiledRule): Mistake {
  const message = `the rule id "${first.id}" is taken: ${first.file}:${first.line}`;
  return { code: "duplicate-id", message, help: `write another id, as ${first.id}-2` };
}

/** Returns a problem for each fallback without other rules in its group: such a fallback would answer every event. */
function lonelyFallbacks(placedRules: readonly PlacedRule[]): Problem[] {
  const groups = new Set(
    placedRules.flatMap(({ rule }) => (rule.fallback ? [] : (rule.group ?? []))),
  );
  return placedRules.flatMap((one) =>
    one.rule.fallback && one.rule.group !== undefined && !groups.has(one.rule.group)
      ? [
          one.problemAt(["fallback"], {
            ...LONELY,
            message: `${LONELY.message} "${one.rule.group}"`,
          }),
        ]
      : [],
  );
}

const LONELY: Mistake = {
  code: "fallback-alone",
  severity: "warning",
  message: "this fallback answers every event: no other rule is in",
  help: "move it into the file of the other rules, or give all of them the same group",
};

function withoutRepeats(placedRules: readonly PlacedRule[]): {
  rules: PlacedRule[];
  repeated: Problem[];
} {
  const first = new Map<string, CompiledRule>();
  const repeated: Problem[] = [];
  const rules = placedRules.filter((one) => {
    const { rule } = one;
    const other = first.get(rule.id);
    if (other) repeated.push(one.problemAt(["id"], repeatedId(other)));
    else first.set(rule.id, rule);
    return other === undefined;
  });
  return { rules, repeated };
}
