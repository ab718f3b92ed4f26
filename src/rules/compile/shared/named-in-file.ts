import { valueAt } from "../../../config/check-value.ts";
import type { Mistake } from "../../../config/problem.ts";
import { readYaml } from "../../../config/yaml-document.ts";
import { type FileRefusal, MAX_NAMED_FILE, type NamedFile, pathFrom } from "../../named-files.ts";

/** Returns whether `written` is the path of a file, rather than the name of a definition in the rule file. */
export function isPath(written: string): boolean {
  return /[./\\]/.test(written);
}

/** Returns whether `path` is the path of a rule file, rather than of a list. */
export function isRuleFile(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

/** Keys that name other files. A rule file without any of these words names no files. */
const NAMES_FILES = /\b(?:in_list|lists|media|use)\b/;

/** Returns the paths of the files that a rule file names, each once. `text` is the unparsed rule file. */
export function filesNamedIn(path: string, text: string): readonly string[] {
  if (!NAMES_FILES.test(text)) return [];
  const { value } = readYaml(text, path);
  const filePaths = new Set<string>();
  const note = (written: unknown): void => {
    if (typeof written === "string" && isPath(written)) filePaths.add(pathFrom(path, written));
  };
  for (const list of membersOf(valueAt(value, ["lists"]))) note(valueAt(list, ["file"]));
  for (const use of membersOf(valueAt(value, ["use"]))) note(valueAt(use, ["file"]));
  visitMaps(valueAt(value, ["rules"]), (map) => {
    const listNames = valueAt(map, ["in_list"]);
    for (const one of Array.isArray(listNames) ? listNames : [listNames]) note(one);
    note(valueAt(map, ["media"]));
  });
  return [...filePaths];
}

function membersOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

function visitMaps(value: unknown, onMap: (map: object) => void): void {
  if (typeof value !== "object" || value === null) return;
  onMap(value);
  for (const inner of membersOf(value)) visitMaps(inner, onMap);
}

/** Returns the mistake of the file named `written`; undefined if it was read. */
export function refusedFile(
  written: string,
  read: NamedFile | undefined,
  kind: "rules" | "list" | "media",
): Mistake | undefined {
  const isOther = kind !== "media" && isRuleFile(written) !== (kind === "rules");
  if (read !== undefined && "text" in read && !isOther) return undefined;
  const readFault = read !== undefined && "refused" in read ? read.refused : "missing";
  const refused = read !== undefined && !("refused" in read) && isOther ? "ending" : readFault;
  const [why, help] = WHY[refused];
  return { code: "named-file", message: `the file ${written} ${why}`, help };
}

const WHY: Readonly<Record<FileRefusal, readonly [why: string, help: string]>> = {
  missing: ["is not there", "make it, or write its path relative to this file"],
  outside: [
    "lies outside the project",
    "copy it into the project, and write its path relative to this file",
  ],
  hidden: [
    "is hidden: its name, or a folder in its path, begins with a dot",
    "copy what rules need into another file, as lists/words.txt",
  ],
  ending: ["has the wrong file extension", "use .txt for a list, .yaml for rules"],
  "not-utf8": ["is not UTF-8", "save it as UTF-8"],
  "too-large": [
    `is larger than ${MAX_NAMED_FILE / 1024} KiB`,
    "split it, or request the data with the step http",
  ],
  unreadable: ["can't be read", "check that it is a file, and its permissions"],
};
