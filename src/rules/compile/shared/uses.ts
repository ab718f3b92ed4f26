import { checkValue, valueAt } from "../../../config/check-value.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import { type Path, readYaml, type YamlDocument } from "../../../config/yaml-document.ts";
import { type NamedFiles, pathFrom } from "../../named-files.ts";
import type { InputValues, RuleFileSource } from "../../rule-file-source.ts";
import { useMap } from "../../file-schema/shared-keys.ts";
import { accountOf } from "./account.ts";
import { filesNamedIn, isRuleFile, refusedFile } from "./named-in-file.ts";
import { putInputs, resolveInputs, type TellInput } from "./inputs.ts";

/** Rule file under compilation: a file that no other file uses, or one use of a file by another file. */
export interface RuleFileUnit {
  /** Document of the file, with the values of its inputs inserted. */
  readonly document: YamlDocument;
  readonly inputs: InputValues;
  /** Whether each input has a value. Otherwise the rules can't be checked. */
  readonly isComplete: boolean;
  readonly source: RuleFileSource;
  /** Sort key of the file's rules: a file's own rules come first, then the rules of the files that it uses. */
  readonly place: readonly (string | number)[];
  readonly problems: readonly Problem[];
  /** Subset of `problems`: files that use each other in a circle. */
  readonly circles: readonly Problem[];
  /**
   * Addition to the messages of the unit's problems: `, used as "spring" by a.yaml:3`. Empty for a file that no file
   * uses.
   */
  readonly note: string;
}

/**
 * Returns the units whose rules are in force. A file that another file uses is in force only as part of that file.
 *
 * @returns The units, and problems of circles in which each file is used by another.
 */
export function inUse<Unit extends Pick<RuleFileUnit, "source" | "place" | "circles">>(
  units: readonly Unit[],
): {
  readonly units: readonly Unit[];
  readonly circles: readonly Problem[];
} {
  const used = new Set(
    units.flatMap(({ source }) => (source.use === undefined ? [] : [source.path])),
  );
  const isOfUsed = ({ place }: Unit) => used.has(String(place[0]));
  return {
    units: units.filter((unit) => !isOfUsed(unit)),
    circles: units.filter(isOfUsed).flatMap(({ circles }) => circles),
  };
}

const CIRCLE = "use-in-a-circle";

/** Returns the unit of a rule file, and a unit for each use of another file. */
export function unitsOf(source: RuleFileSource, document: YamlDocument): readonly RuleFileUnit[] {
  const resolved = resolveInputs(document, { values: undefined, tell: () => {} });
  const own = putInputs(document, resolved.inputs);
  const { path } = source;
  const unit = { ...resolved, document: own, source, place: [path], circles: [], note: "" };
  return withUsed(unit, [path]);
}

/** Reads a rule file and inserts the values of its inputs. */
export function documentOf({ path, text, use }: RuleFileSource): {
  readonly document: YamlDocument;
  readonly inputs: InputValues;
} {
  const read = readYaml(text, path);
  const inputs = use?.inputs ?? resolveInputs(read, { values: undefined, tell: () => {} }).inputs;
  return { document: putInputs(read, inputs), inputs };
}

function withUsed(unit: RuleFileUnit, chain: readonly string[]): readonly RuleFileUnit[] {
  const { document } = unit;
  const uses = valueAt(document.value, ["use"]);
  if (uses === undefined) return [unit];
  const problems: Problem[] = [...unit.problems];
  const used: RuleFileUnit[] = [];
  if (!Array.isArray(uses)) problems.push(document.problemAt(["use"], NO_LIST));
  const names = new Set<string>();
  for (const index of Array.isArray(uses) ? uses.keys() : []) {
    const unitsOfUse = usedUnits(unit, index, { chain, problems, names });
    used.push(...unitsOfUse);
  }
  const circles = problems.filter(({ code }) => code === CIRCLE);
  return [{ ...unit, problems, circles }, ...used];
}

const NO_LIST: Mistake = {
  code: "wrong-type",
  message: "use: is a list",
  help: "write  use: [{file: shared/spring.yaml, as: spring}]",
};

function usedUnits(
  { document, source, place }: RuleFileUnit,
  index: number,
  { chain, problems, names }: { chain: readonly string[]; problems: Problem[]; names: Set<string> },
): readonly RuleFileUnit[] {
  const at: Path = ["use", index];
  const { value: use, problems: wrong } = checkValue(useMap, document, {
    at,
    within: " under use",
  });
  problems.push(...wrong);
  if (use === undefined) return [];
  const tell = (path: Path, mistake: Mistake) =>
    void problems.push(document.problemAt(path, mistake));
  if (names.has(use.as)) tell([...at, "as"], takenName(use.as));
  names.add(use.as);
  const path = pathFrom(document.file, use.file);
  const file = source.named?.[path];
  const refused = chain.includes(path) ? circle(chain, path) : refusedFile(use.file, file, "rules");
  if (refused || !file || !("text" in file)) {
    tell([...at, "file"], refused ?? circle(chain, path));
    return [];
  }
  const read = readYaml(file.text, path);
  const tellInput: TellInput = (name, mistake, part) => {
    const inputPath = valueAt(use.with, [name]) === undefined ? at : [...at, "with", name];
    problems.push(document.problemAt(inputPath, mistake, part));
  };
  const sourceOf = (name: string) => document.sourceAt([...at, "with", name]);
  const resolved = resolveInputs(read, { values: use.with, tell: tellInput, sourceOf });
  const inputNames = Object.keys(Object(valueAt(read.value, ["inputs"])));
  for (const name of Object.keys(use.with)) {
    if (inputNames.includes(name)) continue;
    const guess = didYouMean(name, inputNames);
    const help = guess === undefined ? inputsOf(path, inputNames) : `did you mean "${guess}"?`;
    const message = `${path} has no input "${name}"`;
    problems.push(
      document.problemAt([...at, "with", name], { code: "unknown-input", message, help }, "key"),
    );
  }
  const as = source.use === undefined ? use.as : `${source.use.as}.${use.as}`;
  const by = source.use?.by ?? source.path;
  const account = accountOf(document) ?? source.use?.account;
  const unit: RuleFileUnit = {
    document: putInputs(read, resolved.inputs),
    inputs: resolved.inputs,
    isComplete: resolved.isComplete,
    source: {
      path,
      text: file.text,
      named: namedIn(path, file.text, source.named ?? {}),
      use: { as, by, inputs: resolved.inputs, ...(account === undefined ? {} : { account }) },
    },
    place: [...place, 1, index],
    problems: resolved.problems,
    circles: [],
    note: `, used as "${as}" by ${document.file}:${document.linesOf(at)[0]}`,
  };
  return withUsed(unit, [...chain, path]);
}

function inputsOf(path: string, inputNames: readonly string[]): string {
  return inputNames.length === 0 ? "remove it" : `inputs of ${path}: ${inputNames.join(", ")}`;
}

/** Returns the files that a file names, directly or through the rule files that it uses. */
function namedIn(path: string, text: string, all: NamedFiles): NamedFiles {
  const filesByPath: Record<string, NamedFiles[string]> = {};
  const collect = (from: string, of: string): void => {
    for (const one of filesNamedIn(from, of)) {
      const file = all[one];
      if (file === undefined || Object.hasOwn(filesByPath, one)) continue;
      filesByPath[one] = file;
      if ("text" in file && isRuleFile(one)) collect(one, file.text);
    }
  };
  collect(path, text);
  return filesByPath;
}

function takenName(as: string): Mistake {
  const message = `"${as}" is used twice: rules of both would have the same ids`;
  return { code: "duplicate-id", message, help: `write another name, as ${as}2` };
}

function circle(chain: readonly string[], path: string): Mistake {
  const way = [...chain.slice(chain.indexOf(path)), path].join(" uses ");
  const help = "remove one of these uses";
  return { code: CIRCLE, message: `a file can't use itself: ${way}`, help };
}
