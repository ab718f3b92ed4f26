import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { pathOf, placeInStack } from "../../bots/watching/places.ts";
import type { Spot } from "../../config/problem.ts";

/** Fault of a module and its place in the author's code. */
export interface PlacedFault {
  /** Description of the fault in one line. */
  readonly what: string;
  readonly at: Spot;
}

/** Error about unreadable TypeScript; its columns are counted from 0. */
const NOT_READ = /^(.+):(\d+):(\d+): ERROR: (.+)$/m;
const STARTS_WITH_FILE = /^((?:file:\/\/)?\/.+):(\d+)$/m;

/**
 * Locates a module's fault: the syntax error, the thrown error, or the word that the error message quotes.
 *
 * @param file Absolute path of the module.
 * @param message The error with its stack.
 * @param cwd Folder from which the paths of problems start.
 */
export async function placedFault(
  { file, message }: { readonly file: string; readonly message: string },
  cwd: string,
): Promise<PlacedFault> {
  const [, where, row, column, reason] = NOT_READ.exec(message) ?? [];
  if (where !== undefined && reason !== undefined) {
    const at = { line: Number(row), column: Number(column) + 1 };
    return { what: reason, at: await spotIn(pathOf(where), at, cwd) };
  }
  const what = whatOf(message)
    .replaceAll(`${pathToFileURL(cwd).href}/`, "")
    .replaceAll(`${cwd}/`, "");
  const thrown = /^(.+):(\d+):(\d+)$/.exec(placeInStack(message) ?? "");
  if (thrown !== null) {
    const [, path = file, line, col] = thrown;
    return { what, at: await spotIn(path, { line: Number(line), column: Number(col) }, cwd) };
  }
  const text = await textOf(file);
  const word = wordIn(text, what);
  if (word !== undefined) return { what, at: await spotIn(file, word, cwd) };
  const [, startsWith = "", line] = STARTS_WITH_FILE.exec(message) ?? [];
  if (pathOf(startsWith) === file) {
    return { what, at: await spotIn(file, { line: Number(line), column: 1 }, cwd) };
  }
  // The error names no place: often the default export is missing, so point at the end of the file.
  return {
    what,
    at: await spotIn(file, { line: text.trimEnd().split("\n").length, column: 1 }, cwd),
  };
}

/** Place of a word in a module, quoted or bare; the start of the file if the word is absent. */
export async function spotOfWord(file: string, word: string, cwd: string): Promise<Spot> {
  const wordPlace = placeOf(await textOf(file), word);
  return spotIn(file, wordPlace ?? { line: 1, column: 1 }, cwd);
}

/** Line of a stack trace that has the error's message, without the uninformative name `Error`. */
function whatOf(message: string): string {
  const lines = message.split("\n").filter((line) => !/^\s+at /.test(line));
  const messageLine = lines.find((line) => /^\w*Error\b.*: /.test(line)) ?? lines[0] ?? message;
  return messageLine.replace(/^Error(?: \[\w+\])?: /, "");
}

interface Place {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** Place of the first quoted word of an error message that also occurs in the module's text. */
function wordIn(text: string, what: string): Place | undefined {
  // words after the semicolon are what to write
  const words = [...(what.split("; ")[0] ?? "").matchAll(/"([^"]+)"|'([^']+)'/g)].map(
    ([, one, other]) => one ?? other,
  );
  for (const word of words) {
    const wordPlace = placeOf(text, word ?? "");
    if (wordPlace !== undefined) return wordPlace;
  }
  return undefined;
}

function placeOf(text: string, word: string): Place | undefined {
  const quoted = ['"', "'", "`"].map((quote) => text.indexOf(quote + word + quote));
  const at = Math.min(...quoted.filter((one) => one >= 0)) + 1;
  const wordOffset = Number.isFinite(at) ? at : bare(text, word);
  if (wordOffset === undefined) return undefined;
  const before = text.slice(0, wordOffset).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line: before.length, column, length: word.length };
}

/** Offset of a whole word without quotes, such as a key; undefined if the text has none. */
function bare(text: string, word: string): number | undefined {
  if (!/^\w+$/.test(word)) return undefined;
  const at = text.search(new RegExp(`\\b${word}\\b`));
  return at < 0 ? undefined : at;
}

async function spotIn(path: string, { line, column, length }: Place, cwd: string): Promise<Spot> {
  const sourceLine = (await textOf(path)).split("\n")[line - 1] ?? "";
  const rest = /^[\w$]*/.exec(sourceLine.slice(column - 1))?.[0].length ?? 0;
  const file = relative(cwd, path);
  return { file, line, column, length: Math.max(1, length ?? rest), sourceLine };
}

function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
