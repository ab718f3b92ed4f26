import { valueAt } from "../../../config/check-value.ts";
import type { Problem } from "../../../config/problem.ts";
import { readYaml } from "../../../config/yaml-document.ts";
import type { InPieces } from "../../../system/in-pieces.ts";
import type { RuleFileSource } from "../../rule-file-source.ts";
import { openFile, type OpenFile } from "../calling/calls.ts";
import type { RuleOutline } from "../calling/rule-outline.ts";
import { type SharedRules, sharedRules } from "../calling/shared-rules.ts";
import { isRuleFile } from "../shared/named-in-file.ts";
import { inUse } from "../shared/uses.ts";
import { compilingUnits, type FileResult, type OpenUnit, openUnits } from "./compile-file.ts";

/** Only files with that word in them can declare groups. */
const GROUPS = "groups";

/**
 * Rule files as they were compiled last: one that is the same, with all that it rests on, is not compiled again.
 *
 * A file rests on its path, its text, the files that it names, the names of the groups of all files, and the
 * files whose rules its own run.
 */
export class CompiledFiles {
  #files = new Map<string, KnownFile>();
  #groups = new Map<string, readonly string[]>();

  /**
   * Compiles what is not known of `files`, and forgets all other files.
   *
   * @returns What has come of those whose rules there are. Besides: uses that go round in a circle.
   */
  *compiling(
    files: readonly RuleFileSource[],
    mostProblems: number,
  ): InPieces<{ readonly units: readonly FileResult[]; readonly circles: readonly Problem[] }> {
    const groups = yield* this.#groupsOf(files);
    const allGroups = [...groups].join("\n");
    const begun: BegunFile[] = [];
    const alone = { groups, mostProblems, called: sharedRules([]) };
    for (const source of files) {
      const file = this.#begun(source, JSON.stringify([allGroups, source.named]));
      yield;
      // all others wait, with their documents, for the rules that are run
      begun.push(isAlone(file) ? yield* compilingBegun(file, alone) : file);
    }
    const { units, circles } = inUse(begun.flatMap(({ outlines }) => outlines));
    const called = sharedRules(units, openingOnce(begun));
    const compiled = new Map<string, KnownFile>();
    for (const file of begun) {
      compiled.set(file.source.path, yield* compilingBegun(file, { groups, mostProblems, called }));
      yield;
    }
    this.#files = compiled;
    const used = new Set(units);
    const results = [...compiled.values()].flatMap((one) => one.results);
    return { units: results.filter(({ outline }) => used.has(outline)), circles };
  }

  #begun(source: RuleFileSource, rests: string): BegunFile {
    const known = this.#files.get(source.path);
    if (known?.source.text === source.text && known.rests === rests) return known;
    const units = openUnits(source);
    return { source, rests, units, outlines: units.map(({ outline }) => outline) };
  }

  /** Names of the groups of all files, those that they use among them. */
  *#groupsOf(files: readonly RuleFileSource[]): InPieces<ReadonlySet<string>> {
    const found = new Map<string, readonly string[]>();
    for (const text of files.flatMap(textsOf)) {
      if (!text.includes(GROUPS)) continue;
      found.set(text, this.#groups.get(text) ?? groupsIn(text));
      yield;
    }
    this.#groups = found;
    return new Set([...found.values()].flat());
  }
}

/** A file that may have been compiled already. */
interface BegunFile {
  readonly source: RuleFileSource;
  /** What it rests on besides its path, its text and the rules that its own run. */
  readonly rests: string;
  /** Of itself, and of the files that it uses. */
  readonly outlines: readonly RuleOutline[];
  /** As it was read. Absent: it was compiled. */
  readonly units?: readonly OpenUnit[];
  /** With which rules of other files it was compiled. */
  readonly called?: string;
  readonly results?: readonly FileResult[];
}

type KnownFile = BegunFile & Required<Pick<BegunFile, "called" | "results">>;

/** Its rules run no others and are not there to be run. */
function isAlone({ outlines }: BegunFile): boolean {
  return outlines.every(({ runs, untriggered }) => runs.length === 0 && untriggered.size === 0);
}

/** Compiles a file unless it was compiled with the same rules of others. */
function* compilingBegun(
  { source, rests, outlines, units, called: before, results: known }: BegunFile,
  surroundings: { readonly called: SharedRules } & Parameters<typeof compilingUnits>[1],
): InPieces<KnownFile> {
  const called = outlines.map((one) => surroundings.called.restsOf(one)).join("\n");
  if (known !== undefined && before === called)
    return { source, rests, outlines, called, results: known };
  // those that are known stay the same: others may have to do with them
  const opened = (units ?? openUnits(source)).map((unit, index) => {
    const outline = outlines[index] ?? unit.outline;
    return { ...unit, outline, source: outline.source };
  });
  const results = yield* compilingUnits(opened, surroundings);
  return { source, rests, outlines, called, results };
}

/** Opens files whose rules are run, each once, those that were read already not at all. */
function openingOnce(begun: readonly BegunFile[]): OpenFile {
  const open = new Map<RuleFileSource, ReturnType<OpenFile>>(
    begun.flatMap(({ units = [] }) => units.map((unit) => [unit.source, unit] as const)),
  );
  return (source) => {
    const file = open.get(source) ?? openFile(source);
    open.set(source, file);
    return file;
  };
}

/** The texts of a file and of those that it may use. */
function textsOf({ text, named = {} }: RuleFileSource): readonly string[] {
  const used = Object.entries(named).filter(([path]) => isRuleFile(path));
  return [text, ...used.flatMap(([, file]) => ("text" in file ? file.text : []))];
}

function groupsIn(text: string): readonly string[] {
  const groups = valueAt(readYaml(text, "").value, [GROUPS]);
  return typeof groups === "object" && groups !== null ? Object.keys(groups) : [];
}
