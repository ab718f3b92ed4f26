import { checkValue, valueAt } from "../../../config/check-value.ts";
import type { Problem } from "../../../config/problem.ts";
import { type Path, readYaml, type YamlDocument } from "../../../config/yaml-document.ts";
import type { InPieces } from "../../../system/in-pieces.ts";
import { fileForm, fileKeyForm, rulesKey } from "../habits/other-file.ts";
import { isPlainMap } from "../habits/plain-map.ts";
import { meantWord } from "../../schema/other-words.ts";
import { reservedWord } from "../../schema/reserved-words.ts";
import { ruleFileFrame } from "../../file-schema/rule-file.ts";
import type { CompiledRule } from "../../ruleset.ts";
import { type RuleFileSource, idIn } from "../../rule-file-source.ts";
import { outlineOf, type RuleOutline } from "../calling/rule-outline.ts";
import type { SharedRules } from "../calling/shared-rules.ts";
import { compileRule } from "../compile-rule.ts";
import { withOwnNames, type WrittenRule } from "../project/placed-rule.ts";
import { type FileShared, sharedOf } from "../shared/file-shared.ts";
import { type RuleFileUnit, unitsOf } from "../shared/uses.ts";

/** Result of compiling a rule file, or a rule file that another file uses. Holds no reference to the document. */
export interface FileResult {
  readonly outline: RuleOutline;
  readonly file: string;
  /** Whether at least the list of rules could be read. */
  readonly readable: boolean;
  readonly rules: readonly WrittenRule[];
  /** Ids of rules that have errors. */
  readonly broken: readonly string[];
  readonly problems: readonly Problem[];
}

/** Inputs of the compilation of a file besides its text. */
export interface FileSurroundings {
  /** Names of the groups that any rule file declares. */
  readonly groups: ReadonlySet<string>;
  /** Maximum number of problems per file. Beyond it, the file's remaining rules are not compiled. */
  readonly mostProblems: number;
  /** Rules that the file's steps can call. */
  readonly called: SharedRules;
}

/** A rule file, or a file that a rule file uses, with its shared definitions and its outline (the ids in the file). */
export interface OpenUnit extends RuleFileUnit {
  readonly shared: FileShared;
  readonly outline: RuleOutline;
}

/** Reads a file and the files that it uses. */
export function openUnits(source: RuleFileSource): readonly OpenUnit[] {
  return unitsOf(source, readYaml(source.text, source.path)).map((unit) => ({
    ...unit,
    shared: sharedOf(unit.document, unit),
    outline: outlineOf(unit),
  }));
}

/** Compiles a file and the files that it uses. Yields after each rule, so that other tasks can run. */
export function* compilingUnits(
  units: readonly OpenUnit[],
  surroundings: FileSurroundings,
): InPieces<readonly FileResult[]> {
  const results: FileResult[] = [];
  for (const unit of units) results.push(yield* compilingUnit(unit, surroundings));
  return results;
}

function* compilingUnit(
  unit: OpenUnit,
  { groups, mostProblems, called }: FileSurroundings,
): InPieces<FileResult> {
  const { document, isComplete, source, shared, outline, place, note } = unit;
  const { file } = document;
  const frame = frameOf(document);
  if (frame === undefined) {
    const problems = [...unit.problems, ...document.problems];
    return { outline, file, readable: false, rules: [], broken: [], problems };
  }
  const problems: Problem[] = [
    ...document.problems,
    ...unit.problems,
    ...unexplained(frame.problems, document),
    ...(isComplete ? shared.problems() : []),
  ];
  const rules: WrittenRule[] = [];
  const broken: string[] = [];
  for (const [index, id] of outline.ids.entries()) {
    if (problems.length >= mostProblems) break;
    const path = ["rules", index];
    if (!isComplete) {
      if (id !== undefined) broken.push(id);
      continue;
    }
    if (called.isShared(outline, index)) continue;
    const { callable } = called;
    const result = compileRule(document, path, { groups, shared, source, callable, place });
    yield;
    const hasMistake = isTorn(document, path);
    problems.push(...unexplained(result.problems, document, hasMistake));
    if (result.rule && !hasMistake && frame.value) {
      rules.push(writtenRule(document, path, result.rule));
    } else if (id !== undefined) {
      broken.push(id);
    }
  }
  const key = rulesKey(document.value);
  const others: unknown = key === "rules" ? undefined : valueAt(document.value, [key]);
  for (const index of Array.isArray(others) ? others.keys() : []) {
    const { callable } = called;
    const at = { groups, shared, source, callable, place };
    problems.push(...compileRule(document, [key, index], at).problems);
    yield;
  }
  const noted =
    note === ""
      ? problems
      : problems.map((one) =>
          one.file === file ? { ...one, message: `${one.message}${note}` } : one,
        );
  return { outline, file, readable: frame.value !== undefined, rules, broken, problems: noted };
}

/** Checks the top level of a file. Returns undefined if the text is not readable as YAML. */
function frameOf(document: YamlDocument) {
  if (document.value === undefined) return undefined;
  const form = fileForm(document.value, document.problems.length > 0);
  const listed = fileKeyForm("rules", valueAt(document.value, ["rules"]));
  if (form !== undefined || listed !== undefined) {
    const message = form === undefined ? "rules are a list" : "a rule file has a version and rules";
    const mistake = { code: "wrong-type", message, help: form ?? listed };
    const at = form === undefined ? ["rules"] : [];
    const problem = document.problemAt(at, mistake, form === undefined ? "key" : "value");
    return { value: undefined, problems: [problem] };
  }
  return checkValue(ruleFileFrame, document, {
    reserved: (key) => reservedWord("file", key),
    meant: (key) => meantWord("file", key),
    form: (key, at) =>
      at.length === 0 ? fileKeyForm(key, valueAt(document.value, [key])) : undefined,
  });
}

/**
 * Leaves out problems that a mistake in the YAML text explains: those on its line, and keys that seem to be missing.
 *
 * @param hasMistake Whether there is such a mistake in the rule whose problems these are.
 */
function unexplained(
  problems: readonly Problem[],
  { file, problems: mistakes }: YamlDocument,
  hasMistake = false,
): readonly Problem[] {
  const lines = new Set(mistakes.map(({ line }) => line));
  return problems.filter(
    (one) =>
      one.file !== file || !(lines.has(one.line) || (hasMistake && one.code === "missing-key")),
  );
}

function isTorn(document: YamlDocument, path: Path): boolean {
  if (document.problems.length === 0) return false;
  const [first, last] = document.linesOf(path);
  return document.problems.some(({ line }) => line >= first && line <= last);
}

function writtenRule(document: YamlDocument, path: Path, rule: CompiledRule): WrittenRule {
  const own = (one: unknown) => withOwnNames(one, idIn(rule.source, document.file));
  const written = valueAt(document.value, path);
  const listAt = (key: string): readonly unknown[] => {
    const value = valueAt(written, [key]);
    return Array.isArray(value)
      ? value.map((one, index) => own(withNumbersAsWritten(document, [...path, key, index], one)))
      : [];
  };
  return {
    rule,
    path,
    conditions: listAt("conditions"),
    triggers: listAt("triggers"),
    variables: own(valueAt(written, ["variables"])),
  };
}

/** Replaces numbers by their texts in the file: a condition on a text compares `0123` as four characters. */
function withNumbersAsWritten(document: YamlDocument, path: Path, value: unknown): unknown {
  if (typeof value === "number") return document.sourceAt(path) ?? value;
  if (Array.isArray(value)) {
    return value.map((one, index) => withNumbersAsWritten(document, [...path, index], one));
  }
  if (!isPlainMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      withNumbersAsWritten(document, [...path, key], one),
    ]),
  );
}
