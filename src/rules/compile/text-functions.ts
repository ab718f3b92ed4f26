import type { Environment } from "@marcbachmann/cel-js";
import { fold } from "../../text/fold.ts";
import { containsWord } from "../../text/words.ts";
import { spend } from "./expressions/budget.ts";

/** What texts can do in expressions beyond what CEL brings. Comparing is done as in conditions. */
export function registerTextFunctions(environment: Environment): void {
  environment
    .registerFunction(
      "string.same(string): bool",
      (text: string, other: string) => folded(text) === folded(other),
      { description: "The two are the same as people read them: case and the like don't count." },
    )
    .registerFunction(
      "string.has_word(string): bool",
      (text: string, word: string) => hasWord(text, word),
      { description: "This stands in the text as whole words, in any case." },
    )
    .registerFunction(
      "string.has_word(list<string>): bool",
      (text: string, any: string[]) => any.some((word) => hasWord(text, word)),
      { description: "One of these stands in the text as whole words, in any case." },
    )
    .registerFunction(
      "string.contains_any(list<string>): bool",
      (text: string, any: string[]) => any.some((one) => folded(text).includes(folded(one))),
      { description: "One of these stands in the text, in any case." },
    )
    .registerFunction(
      "string.contains_all(list<string>): bool",
      (text: string, all: string[]) => all.every((one) => folded(text).includes(folded(one))),
      { description: "All of these stand in the text, in any case." },
    )
    .registerFunction("string.upper(): string", (text: string) => counted(text).toUpperCase(), {
      description: "The text in capital letters.",
    })
    .registerFunction("string.lower(): string", (text: string) => counted(text).toLowerCase(), {
      description: "The text in small letters.",
    })
    .registerFunction(
      "string.truncate(int): string",
      (text: string, length: bigint) => truncate(counted(text), Number(length)),
      { description: "At most so many characters, the last an ellipsis where something was cut." },
    )
    .registerFunction(
      "url(string): string",
      (text: string) => encodeURIComponent(counted(text).replaceAll(/\p{Surrogate}/gu, "\ufffd")),
      { description: "The text as it may stand in the path or the query of a URL." },
    );
}

function counted(text: string): string {
  spend(text.length);
  return text;
}

function hasWord(text: string, word: string): boolean {
  return containsWord(folded(text), folded(word));
}

/** The last texts and their folded forms: the words of a rule, and the message that they are sought in. */
const known = new Map<string, string>();
const KNOWN = 256;

function folded(text: string): string {
  const before = known.get(text);
  // looking through a text that is folded already costs less
  spend(before === undefined ? text.length : Math.ceil(text.length / 4));
  if (before !== undefined) return before;
  const after = fold(text).trim();
  if (known.size >= KNOWN) known.clear();
  known.set(text, after);
  return after;
}

/** At most `length` characters, the last of them an ellipsis when something was cut. */
function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  return length <= 0 ? "" : `${characters.slice(0, length - 1).join("")}…`;
}
