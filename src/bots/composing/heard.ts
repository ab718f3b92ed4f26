import { fold } from "../../text/fold.ts";
import { containsWord } from "../../text/words.ts";
import { DIRECTION_MARKS } from "../../protocol/public-text/direction-marks.ts";
import type { SpokenTrigger } from "../define.ts";

/** Triggers of messages and posts addressed to the account. */
export const SPOKEN: readonly SpokenTrigger[] = [
  "dm.received",
  "post.mentioned",
  "post.replied",
  "post.quoted",
];

/** Searches a text, and returns the match; undefined without a match. */
export type Finder<M> = (text: string) => M | undefined;

/**
 * Returns a finder for a regular expression. JavaScript has no time limit for a search: if it hangs, the watchdog ends
 * the thread.
 */
export function patternFinder(pattern: RegExp): Finder<RegExpExecArray> {
  // without `g` and `y`, because their `lastIndex` would change the result when the handler runs again
  const fresh = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ""));
  return (text) => fresh.exec(text) ?? undefined;
}

/** Returns a finder for the first of several words. Words are compared as by `contains_word` in rules. */
export function wordFinder(searchedWords: string | readonly string[]): Finder<string> {
  const words = (typeof searchedWords === "string" ? [searchedWords] : searchedWords).map(
    (word) => {
      const folded = typeof word === "string" ? fold(word).trim() : "";
      if (folded === "")
        throw new TypeError(
          `hears a word, a list of words or a RegExp, got ${JSON.stringify(word)}`,
        );
      return { word, folded };
    },
  );
  if (words.length === 0) throw new TypeError("hears one word or more, got an empty list");
  return (text) => {
    const folded = fold(text);
    return words.find((one) => containsWord(folded, one.folded))?.word;
  };
}

/** A command that was found in a text, with the text after it. */
export interface HeardText {
  readonly command: string;
  readonly match: string;
  readonly args: readonly string[];
}

/** Returns a finder for a command at the beginning of a text. Handles such as `@bot` may precede the command. */
export function commandFinder(commandNames: string | readonly string[]): Finder<HeardText> {
  const commands = (typeof commandNames === "string" ? [commandNames] : commandNames).map(
    (command) => {
      if (typeof command !== "string" || !/^\S+$/.test(command)) {
        throw new TypeError(
          `a command is one word such as "/roll", got ${JSON.stringify(command)}`,
        );
      }
      return { command, folded: fold(command) };
    },
  );
  if (commands.length === 0)
    throw new TypeError("command takes one command or more, got an empty list");
  return (text) => {
    const [, first = "", rest = ""] = COMMAND.exec(text) ?? [];
    const folded = fold(first);
    const matchingCommand = commands.find((one) => one.folded === folded);
    if (matchingCommand === undefined) return undefined;
    const match = rest.trim();
    return { command: matchingCommand.command, match, args: piecesOf(match) };
  };
}

/** First word of a text after handles, and the rest. */
const COMMAND = new RegExp(
  `^(?:[\\s${DIRECTION_MARKS}]*[@＠]\\w+(?!\\w))*[\\s${DIRECTION_MARKS}]*(\\S+)([\\s\\S]*)$`,
);

/** Quotation marks of several languages. The content of each pair is a group. */
const QUOTED = /"([^"]*)"|[“„”]([^“”]*)[“”]|«\s*([^»]*?)\s*»|「([^」]*)」|\S+/g;

/** Splits a text at white space. A quoted part of the text is one piece. */
function piecesOf(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].map(
    ([piece, ...contents]) => contents.find((one) => one !== undefined) ?? piece,
  );
}
