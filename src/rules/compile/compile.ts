import { checkValue, valueAt } from "../../config/check-value.ts";
import { withoutIgnored } from "../../config/ignored-problems.ts";
import type { Mistake, Problem } from "../../config/problem.ts";
import { type Path, readYaml, type YamlDocument } from "../../config/yaml-document.ts";
import { contentHash } from "../../system/content-hash.ts";
import { idIn } from "./calling/rule-id.ts";
import { type SharedRules, sharedRules } from "./calling/shared-rules.ts";
import { compileRule } from "./compile-rule.ts";
import { claimedTwice } from "./project/former-ids.ts";
import { loopsOfRules } from "./project/loops.ts";
import { type PlacedRule, withOwnNames } from "./project/placed-rule.ts";
import { answersOfTwoFiles } from "./project/two-files.ts";
import { unreachableRules } from "./project/unreachable.ts";
import { meantWord } from "../schema/other-words.ts";
import { reservedWord } from "../schema/reserved-words.ts";
import { ruleFileFrame } from "../schema/rule-file.ts";
import type { NamedFiles } from "../named-files.ts";
import { type CompiledRule, makeRuleset, type Ruleset } from "../ruleset.ts";
import { type FileShared, sharedOf } from "./shared/file-shared.ts";
import { inUse, type RuleFileUnit, unitsOf } from "./shared/uses.ts";

/** A rule file's text. */
export interface SourceFile {
  /** Decides the order of files; shown in problems. */
  readonly path: string;
  readonly text: string;
  /** The files that it names, as `withNamedFiles` reads them. */
  readonly named?: NamedFiles;
}

/** Rules compiled as far as they can be. */
export interface Compiled {
  readonly ruleset: Ruleset;
  /** In the order of files and lines. */
  readonly problems: readonly Problem[];
  /** Rules that are broken now and run as they were before. */
  readonly kept: readonly CompiledRule[];
}

/** What bounds the work of compiling. */
export interface CompileLimits {
  /** Rules of a file are not looked at any more once it has so many problems. No end unless given. */
  readonly problemsOfFile?: number;
}

/**
 * Compiles rule files, a broken rule harming no other.
 *
 * @param previous The ruleset in force. A rule of it that is broken now keeps running as it was.
 */
export function compile(
  files: readonly SourceFile[],
  previous?: Ruleset,
  { problemsOfFile = Infinity }: CompileLimits = {},
): Compiled {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const read = sorted.map((source) => ({ source, document: readYaml(source.text, source.path) }));
  const { units, circles } = inUse(read.flatMap((file) => unitsOf(file.source, file.document)));
  const groups = new Set(
    units.flatMap(({ document }) => namesIn(valueAt(document.value, ["groups"]))),
  );
  const filled = units.map((unit) => ({ ...unit, shared: sharedOf(unit.document, unit) }));
  const project = { groups, called: sharedRules(filled) };
  const compiled = filled.map((file) => compileFile(file, project, problemsOfFile));
  const { rules, repeated } = withoutRepeats(compiled.flatMap((one) => one.rules));
  const broken = new Set(compiled.flatMap((one) => one.broken));
  const unreadable = new Set(compiled.filter((one) => !one.readable).map((one) => one.file));
  const ids = new Set(rules.map(({ rule }) => rule.id));
  const kept = (previous?.rules ?? []).filter(
    (rule) => !ids.has(rule.id) && (broken.has(rule.id) || unreadable.has(rule.file)),
  );
  const inForce = [...rules.map(({ rule }) => rule), ...kept].sort(byPlace);
  const revision = contentHash(inForce.map((rule) => `${rule.id}@${rule.revision}`).join("\n"));
  const problems = [
    ...withoutIgnored([
      ...unique([...circles, ...compiled.flatMap((one) => one.problems)]),
      ...repeated,
      ...claimedTwice(rules),
      ...lonelyFallbacks(rules),
      ...unreachableRules(rules),
      ...answersOfTwoFiles(rules),
      ...loopsOfRules(rules),
    ]),
  ];
  const order = new Map(sorted.map(({ path }, index) => [path, index]));
  problems.sort(
    (a, b) =>
      (order.get(a.file) ?? sorted.length) - (order.get(b.file) ?? sorted.length) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      a.line - b.line ||
      a.column - b.column,
  );
  return { ruleset: makeRuleset(inForce, revision), problems, kept };
}

function byPlace(a: CompiledRule, b: CompiledRule): number {
  for (const [index, one] of a.place.entries()) {
    const other = b.place[index] ?? 0;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function namesIn(groups: unknown): string[] {
  return typeof groups === "object" && groups !== null ? Object.keys(groups) : [];
}

interface FileResult {
  readonly file: string;
  /** False when not even the list of rules could be read. */
  readonly readable: boolean;
  readonly rules: readonly PlacedRule[];
  /** Ids of rules that have errors. */
  readonly broken: readonly string[];
  readonly problems: readonly Problem[];
}

/** What the rules of all files have in common. */
interface Project {
  readonly groups: ReadonlySet<string>;
  readonly called: SharedRules;
}

function compileFile(
  unit: RuleFileUnit & { readonly shared: FileShared },
  { groups, called }: Project,
  mostProblems: number,
): FileResult {
  const { document, isComplete, source, shared, place, note, problems: own } = unit;
  const { file } = document;
  const nothing = { file, readable: false, rules: [], broken: [] };
  if (document.value === undefined) return { ...nothing, problems: [...own, ...document.problems] };
  const frame = checkValue(ruleFileFrame, document, {
    reserved: (key) => reservedWord("file", key),
    meant: (key) => meantWord("file", key),
  });
  const list = valueAt(document.value, ["rules"]);
  const syntaxLines = new Set(document.problems.map((problem) => problem.line));
  const problems: Problem[] = [
    ...document.problems,
    ...own,
    ...frame.problems,
    ...(isComplete ? shared.problems() : []),
  ];
  const rules: PlacedRule[] = [];
  const broken: string[] = [];
  for (const index of Array.isArray(list) ? list.keys() : []) {
    if (problems.length >= mostProblems) break;
    const path = ["rules", index];
    const id = valueAt(document.value, [...path, "id"]);
    if (!isComplete) {
      if (typeof id === "string") broken.push(idIn(source, id));
      continue;
    }
    problems.push(...called.repeated(unit, path));
    if (called.isShared(unit, path)) continue;
    const { callable } = called;
    const result = compileRule(document, path, { groups, shared, source, callable, place });
    // a line that YAML itself could not read as meant has had its message
    problems.push(
      ...result.problems.filter(
        (problem) => problem.file !== file || !syntaxLines.has(problem.line),
      ),
    );
    const [first, last] = document.linesOf(path);
    const isTorn = document.problems.some(({ line }) => line >= first && line <= last);
    if (result.rule && !isTorn && frame.value) {
      const { rule } = result;
      rules.push(placedRule(document, path, rule));
    } else if (typeof id === "string") {
      broken.push(idIn(source, id));
    }
  }
  const noted = problems.map((one) =>
    one.file === file ? { ...one, message: `${one.message}${note}` } : one,
  );
  return { file, readable: frame.value !== undefined, rules, broken, problems: noted };
}

/** What several rules use and is wrong is told once. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  const keyOf = ({ file, line, column, code }: Problem) => `${file}:${line}:${column}:${code}`;
  const told = new Map<string, Problem>();
  for (const problem of problems) {
    const before = told.get(keyOf(problem));
    // wrong whoever runs it: that one does is no matter
    const isWider = before?.message.startsWith(problem.message) ?? true;
    if (isWider) told.set(keyOf(problem), problem);
  }
  return [...told.values()];
}

function placedRule(document: YamlDocument, path: Path, rule: CompiledRule): PlacedRule {
  const own = (one: unknown) => withOwnNames(one, idIn(rule.source, document.file));
  const listAt = (key: string): readonly unknown[] => {
    const value = valueAt(document.value, [...path, key]);
    return Array.isArray(value) ? value.map(own) : [];
  };
  return {
    rule,
    conditions: listAt("conditions"),
    triggers: listAt("triggers"),
    variables: own(valueAt(document.value, [...path, "variables"])),
    problemAt: (inner, mistake) => document.problemAt([...path, ...inner], mistake),
  };
}

function repeatedId(first: CompiledRule): Mistake {
  const message = `the rule id "${first.id}" is taken: ${first.file}:${first.line}`;
  return { code: "duplicate-id", message, help: `write another id, as ${first.id}-2` };
}

/** Fallbacks that have no other rule in their group: nothing keeps them from answering everything. */
function lonelyFallbacks(found: readonly PlacedRule[]): Problem[] {
  const groups = new Set(found.flatMap(({ rule }) => (rule.fallback ? [] : (rule.group ?? []))));
  return found.flatMap(({ rule, problemAt }) =>
    rule.fallback && rule.group !== undefined && !groups.has(rule.group)
      ? [problemAt(["fallback"], { ...LONELY, message: `${LONELY.message} "${rule.group}"` })]
      : [],
  );
}

const LONELY: Mistake = {
  code: "fallback-alone",
  severity: "warning",
  message: "this fallback answers whatever comes: no other rule is in",
  help: "move it into the file of the rules that it falls back from, or give all of them one group",
};

function withoutRepeats(found: readonly PlacedRule[]): {
  rules: PlacedRule[];
  repeated: Problem[];
} {
  const first = new Map<string, CompiledRule>();
  const repeated: Problem[] = [];
  const rules = found.filter(({ rule, problemAt }) => {
    const other = first.get(rule.id);
    if (other) repeated.push(problemAt(["id"], repeatedId(other)));
    else first.set(rule.id, rule);
    return other === undefined;
  });
  return { rules, repeated };
}
