import { checkValue } from "../../../config/check-value.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { contentHash } from "../../../system/content-hash.ts";
import { USUAL } from "../../lists/list-form.ts";
import { linesOfList } from "../../lists/list-text.ts";
import { formed, type ListContent, makeList, type RuleList } from "../../lists/rule-list.ts";
import { type NamedFile, type NamedFiles, pathFrom } from "../../named-files.ts";
import { list as listSchema } from "../../file-schema/shared-keys.ts";
import type { Dependency, Looked } from "./dependency.ts";
import { definitions, type Definitions } from "./definitions.ts";
import { isPath, refusedFile } from "./named-in-file.ts";

/** Creates the lookup of lists for a rule file: lists that the file defines by name, and list files by path. */
export function listsOf(document: YamlDocument, named: NamedFiles): Definitions<RuleList> {
  return definitions(document, "lists", {
    compile: (at) => definedList(document, at, named),
    unknown: (name, names) =>
      isPath(name) ? listFile(document, name, named) : noList(name, names),
  });
}

function noList(name: string, names: readonly string[]): Mistake {
  const guess = didYouMean(name, names);
  const help =
    guess === undefined
      ? `add to the file:  lists: {${name}: [first, second]}  or name a file:  in_list: lists/${name}.txt`
      : `did you mean "${guess}"?`;
  return { code: "unknown-list", message: `there is no list "${name}"`, help };
}

function definedList(document: YamlDocument, at: Path, named: NamedFiles): Looked<RuleList> {
  const { value, problems } = checkValue(listSchema, document, { at, within: " in a list" });
  if (value === undefined) return { problems };
  if (Array.isArray(value)) {
    const entries = writtenEntries(document, at, value);
    return buildList(document, at, { entries, normalize: USUAL });
  }
  const { file, entries, match, normalize } = value;
  if ((file === undefined) === (entries === undefined)) {
    const message =
      file === undefined ? "this list has no entries" : "this list has both entries and a file";
    const help = "write  file: lists/words.txt  or  entries: [first, second]";
    return { problems: [document.problemAt(at, { code: "list-entries", message, help })] };
  }
  if (entries !== undefined) {
    const texts = writtenEntries(document, [...at, "entries"], entries);
    return buildList(document, [...at, "entries"], { entries: texts, match, normalize });
  }
  const path = pathFrom(document.file, file ?? "");
  const read = named[path];
  const refused = refusedFile(file ?? "", read, "list");
  if (refused) return { problems: [document.problemAt([...at, "file"], refused)] };
  return fromText(path, read, { match, normalize });
}

/** Returns the entries as written, also those that YAML reads as numbers: `007` in a list of texts is a text. */
function writtenEntries(document: YamlDocument, at: Path, all: readonly unknown[]): string[] {
  return all.map((one, index) =>
    typeof one === "string" ? one : (document.sourceAt([...at, index]) ?? String(one)),
  );
}

function buildList(document: YamlDocument, at: Path, content: ListContent): Looked<RuleList> {
  const list = makeList(content);
  const empty = nothingLeft(content);
  if (empty >= 0) return { problems: [document.problemAt([...at, empty], NOTHING_LEFT)] };
  return { value: list, dependency: dependencyOn(content, []) };
}

/** Reads a list file that a condition names directly. It has default options: an entry must be the whole text. */
function listFile(document: YamlDocument, name: string, named: NamedFiles): Looked<RuleList> {
  const path = pathFrom(document.file, name);
  const mistake = refusedFile(name, named[path], "list");
  if (mistake) return { mistake };
  return fromText(path, named[path], { normalize: USUAL });
}

function fromText(
  path: string,
  read: NamedFile | undefined,
  how: Omit<ListContent, "entries">,
): Looked<RuleList> {
  const text = read && "text" in read ? read.text : "";
  const lines = linesOfList(text);
  const content = { ...how, entries: lines.map((line) => line.text) };
  const empty = nothingLeft(content);
  const wrong = lines[empty];
  if (wrong !== undefined) return { problems: [inListFile(path, wrong, NOTHING_LEFT)] };
  if (lines.length === 0) {
    return { problems: [inListFile(path, { text: "", line: 1 }, NO_ENTRIES)] };
  }
  return { value: makeList(content), dependency: dependencyOn(content, [path]) };
}

function inListFile(
  file: string,
  { text, line }: { readonly text: string; readonly line: number },
  mistake: Mistake,
): Problem {
  const length = Math.max(1, text.length);
  return { file, line, column: 1, length, severity: "error", sourceLine: text, ...mistake };
}

function nothingLeft({ entries, match, normalize }: ListContent): number {
  const { written } = makeList({ entries: [], match, normalize });
  return entries.findIndex((entry) =>
    written.some(({ form }) => formed(entry, form, match) === ""),
  );
}

const NOTHING_LEFT: Mistake = {
  code: "empty-operand",
  message: "this entry has only characters that comparisons ignore",
  help: "remove it, or write visible characters",
};

const NO_ENTRIES: Mistake = {
  code: "list-entries",
  message: "this list has no entries",
  help: "write one entry per line",
};

function dependencyOn(content: ListContent, files: readonly string[]): Dependency {
  return { revision: contentHash(JSON.stringify(content)), files };
}
