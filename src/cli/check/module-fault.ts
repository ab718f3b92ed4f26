import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { pathOf, placeInStack } from "../../bots/watching/places.ts";
import type { Spot } from "../../config/problem.ts";

/** What is wrong with a module, and where in its author's text. */
export interface PlacedFault {
  /** One line. */
  readonly what: string;
  readonly at: Spot;
}

/** Of TypeScript that can't be read; its columns are counted from 0. */
const NOT_READ = /^(.+):(\d+):(\d+): ERROR: (.+)$/m;
const STARTS_WITH_FILE = /^((?:file:\/\/)?\/.+):(\d+)$/m;

/**
 * Finds the place of a fault that a module has: where it can't be read, where it threw, or the word that is wrong.
 *
 * @param file Absolute path of the module.
 * @param message The error with its stack.
 * @param cwd Folder that the paths of problems start from.
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
  // What is missing is missing at the end.
  return {
    what,
    at: await spotIn(file, { line: text.trimEnd().split("\n").length, column: 1 }, cwd),
  };
}

/** The place of a word in a module, in quotes or without; its first line where it is not there. */
export async function spotOfWord(file: string, word: string, cwd: string): Promise<Spot> {
  const found = placeOf(await textOf(file), word);
  return spotIn(file, found ?? { line: 1, column: 1 }, cwd);
}

/** The line of an error that says what it is, without the name that says nothing. */
function whatOf(message: string): string {
  const lines = message.split("\n").filter((line) => !/^\s+at /.test(line));
  const told = lines.find((line) => /^\w*Error\b.*: /.test(line)) ?? lines[0] ?? message;
  return told.replace(/^Error(?: \[\w+\])?: /, "");
}

interface Place {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** The first word in quotes of a sentence that stands in the text as well. */
function wordIn(text: string, what: string): Place | undefined {
  if (what.startsWith("a bot module ends in")) return undefined;
  const words = [...what.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, one, other]) => one ?? other);
  for (const word of words) {
    const found = placeOf(text, word ?? "");
    if (found !== undefined) return found;
  }
  return undefined;
}

function placeOf(text: string, word: string): Place | undefined {
  const quoted = ['"', "'", "`"].map((quote) => text.indexOf(quote + word + quote));
  const at = Math.min(...quoted.filter((one) => one >= 0)) + 1;
  const found = Number.isFinite(at) ? at : bare(text, word);
  if (found === undefined) return undefined;
  const before = text.slice(0, found).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line: before.length, column, length: word.length };
}

/** As a key without quotes. */
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
