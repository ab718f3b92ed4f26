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

/** Top-level key under which a file declares groups. A file whose text lacks this word is not parsed for groups. */
const GROUPS = "groups";

/**
 * Cache of compiled rule files. An unchanged file is not compiled again.
 *
 * A file has changed if one of these differs: its path, its text, the files that it names, the group names of all
 * files, the files whose rules it runs.
 */
export class CompiledFiles {
  #files = new Map<string, KnownFile>();
  #groups = new Map<string, readonly string[]>();

  /**
   * Compiles the changed files of `files`, and removes files from the cache that are not in `files`.
   *
   * @returns Results of the files in use, and problems of files that use each other in a circle.
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
      // a file that calls other files' rules is compiled after all files are read; its document is kept until then
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
    const cachedFile = this.#files.get(source.path);
    if (cachedFile?.source.text === source.text && cachedFile.rests === rests) return cachedFile;
    const units = openUnits(source);
    return { source, rests, units, outlines: units.map(({ outline }) => outline) };
  }

  /** Returns the group names of all files and of the files that they use. */
  *#groupsOf(files: readonly RuleFileSource[]): InPieces<ReadonlySet<string>> {
    const groupsByText = new Map<string, readonly string[]>();
    for (const text of files.flatMap(textsOf)) {
      if (!text.includes(GROUPS)) continue;
      groupsByText.set(text, this.#groups.get(text) ?? groupsIn(text));
      yield;
    }
    this.#groups = groupsByText;
    return new Set([...groupsByText.values()].flat());
  }
}

/** Rule file that has been read, and possibly compiled. */
interface BegunFile {
  readonly source: RuleFileSource;
  /** Cache key: the contents of the files that the file names, and the group names of all files. */
  readonly rests: string;
  /** Outlines (ids of rules and of called rules) of the file and of the files that it uses. */
  readonly outlines: readonly RuleOutline[];
  /** Documents of the file and of the files that it uses. Absent once they are compiled. */
  readonly units?: readonly OpenUnit[];
  /** Cache key of the rules of other files with which the file was compiled. */
  readonly called?: string;
  readonly results?: readonly FileResult[];
}

type KnownFile = BegunFile & Required<Pick<BegunFile, "called" | "results">>;

/** Returns whether the rules of a file call no other rules and all have triggers. */
function isAlone({ outlines }: BegunFile): boolean {
  return outlines.every(({ runs, untriggered }) => runs.length === 0 && untriggered.size === 0);
}

/** Compiles a file, unless it is compiled already with the same rules of other files. */
function* compilingBegun(
  { source, rests, outlines, units, called: before, results: cachedResults }: BegunFile,
  surroundings: { readonly called: SharedRules } & Parameters<typeof compilingUnits>[1],
): InPieces<KnownFile> {
  const called = outlines.map((one) => surroundings.called.dependencyKey(one)).join("\n");
  if (cachedResults !== undefined && before === called)
    return { source, rests, outlines, called, results: cachedResults };
  // keeps the outline objects of an earlier compilation: `inUse` compares files by object identity
  const opened = (units ?? openUnits(source)).map((unit, index) => {
    const outline = outlines[index] ?? unit.outline;
    return { ...unit, outline, source: outline.source };
  });
  const results = yield* compilingUnits(opened, surroundings);
  return { source, rests, outlines, called, results };
}

/** Returns a function that opens files with called rules, each once. Files that are read already are not read again. */
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

/** Returns the texts of a file and of the rule files that it names. */
function textsOf({ text, named = {} }: RuleFileSource): readonly string[] {
  const used = Object.entries(named).filter(([path]) => isRuleFile(path));
  return [text, ...used.flatMap(([, file]) => ("text" in file ? file.text : []))];
}

function groupsIn(text: string): readonly string[] {
  const groups = valueAt(readYaml(text, "").value, [GROUPS]);
  return typeof groups === "object" && groups !== null ? Object.keys(groups) : [];
}
