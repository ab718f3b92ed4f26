import type { Environment } from "@marcbachmann/cel-js";
import { containsWord, fold } from "../decide/fold.ts";

/** What texts can do in expressions beyond what CEL brings. Comparing ignores case, as conditions do. */
export function registerTextFunctions(environment: Environment): void {
  environment
    .registerFunction(
      "string.contains_any(list<string>): bool",
      (text: string, any: string[]) => any.some((one) => fold(text).includes(fold(one))),
      { description: "One of these stands in the text, in any case." },
    )
    .registerFunction(
      "string.contains_all(list<string>): bool",
      (text: string, all: string[]) => all.every((one) => fold(text).includes(fold(one))),
      { description: "All of these stand in the text, in any case." },
    )
    .registerFunction(
      "string.contains_word(string): bool",
      (text: string, word: string) => containsWord(fold(text), fold(word)),
      { description: "This stands in the text as whole words, in any case." },
    )
    .registerFunction(
      "string.contains_word(list<string>): bool",
      (text: string, any: string[]) => any.some((word) => containsWord(fold(text), fold(word))),
      { description: "One of these stands in the text as whole words, in any case." },
    )
    .registerFunction("string.upper(): string", (text: string) => text.toUpperCase(), {
      description: "The text in capital letters.",
    })
    .registerFunction("string.lower(): string", (text: string) => text.toLowerCase(), {
      description: "The text in small letters.",
    })
    .registerFunction(
      "string.truncate(int): string",
      (text: string, length: bigint) => truncate(text, Number(length)),
      { description: "At most so many characters, the last an ellipsis where something was cut." },
    )
    .registerFunction(
      "url(string): string",
      (text: string) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd")),
      { description: "The text as it may stand in the query of a URL." },
    );
}

/** At most `length` characters, the last of them an ellipsis when something was cut. */
function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  return length <= 0 ? "" : `${characters.slice(0, length - 1).join("")}…`;
}
