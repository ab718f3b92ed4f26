import { fold } from "../../text/fold.ts";
import { containsWord } from "../../text/words.ts";
import type { SpokenTrigger } from "../define.ts";

/** Under which people write something to the account. */
export const SPOKEN: readonly SpokenTrigger[] = [
  "dm.received",
  "post.mentioned",
  "post.replied",
  "post.quoted",
];

/** Finds something in a text; undefined: it is not there. */
export type Finder<M> = (text: string) => M | undefined;

/** Finds a pattern. It is JavaScript's own: how long it takes is the author's care, and the watchdog's. */
export function patternFinder(pattern: RegExp): Finder<RegExpExecArray> {
  // one that remembers where it was would find something else when the handler is run again
  const fresh = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ""));
  return (text) => fresh.exec(text) ?? undefined;
}

/** Finds the first of some words, as `contains_word` of rules compares them. */
export function wordFinder(given: string | readonly string[]): Finder<string> {
  const words = (typeof given === "string" ? [given] : given).map((word) => {
    const folded = typeof word === "string" ? fold(word).trim() : "";
    if (folded === "")
      throw new TypeError(`hears a word, a list of words or a RegExp, got ${JSON.stringify(word)}`);
    return { word, folded };
  });
  if (words.length === 0) throw new TypeError("hears one word or more, got an empty list");
  return (text) => {
    const folded = fold(text);
    return words.find((one) => containsWord(folded, one.folded))?.word;
  };
}

/** What was said with a command. */
export interface HeardText {
  readonly command: string;
  readonly match: string;
  readonly args: readonly string[];
}

/** Finds one of some commands at the beginning of a text; in a post, behind the handles that it begins with. */
export function commandFinder(given: string | readonly string[]): Finder<HeardText> {
  const commands = (typeof given === "string" ? [given] : given).map((command) => {
    if (typeof command !== "string" || !/^\S+$/.test(command)) {
      throw new TypeError(`a command is one word such as "/roll", got ${JSON.stringify(command)}`);
    }
    return { command, folded: fold(command) };
  });
  if (commands.length === 0)
    throw new TypeError("command takes one command or more, got an empty list");
  return (text) => {
    const [, first = "", rest = ""] = /^(?:\s*@\w+)*\s*(\S+)([\s\S]*)$/.exec(text) ?? [];
    const folded = fold(first);
    const found = commands.find((one) => one.folded === folded);
    if (found === undefined) return undefined;
    const match = rest.trim();
    return { command: found.command, match, args: piecesOf(match) };
  };
}

/** Pieces between white space; what stands in quotes is one piece. */
function piecesOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|\u201c([^\u201d]*)\u201d|\S+/g)].map(
    ([piece, straight, curly]) => straight ?? curly ?? piece,
  );
}
