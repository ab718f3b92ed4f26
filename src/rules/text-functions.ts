import type { Environment } from "@marcbachmann/cel-js";
import { containsWord, fold } from "./fold.ts";

/** What texts can do in expressions beyond what CEL brings. Comparing ignores case, as conditions do. */
export function registerTextFunctions(environment: Environment): void {
  environment
    .registerFunction("string.contains_any(list<string>): bool", (text: string, any: string[]) =>
      any.some((one) => fold(text).includes(fold(one))),
    )
    .registerFunction("string.contains_all(list<string>): bool", (text: string, all: string[]) =>
      all.every((one) => fold(text).includes(fold(one))),
    )
    .registerFunction("string.contains_word(string): bool", (text: string, word: string) =>
      containsWord(fold(text), fold(word)),
    )
    .registerFunction("string.contains_word(list<string>): bool", (text: string, any: string[]) =>
      any.some((word) => containsWord(fold(text), fold(word))),
    )
    .registerFunction("string.upper(): string", (text: string) => text.toUpperCase())
    .registerFunction("string.lower(): string", (text: string) => text.toLowerCase())
    .registerFunction("string.truncate(int): string", (text: string, length: bigint) =>
      truncate(text, Number(length)),
    )
    .registerFunction("url(string): string", (text: string) =>
      encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd")),
    );
}

/** At most `length` characters, the last of them an ellipsis when something was cut. */
function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  return length <= 0 ? "" : `${characters.slice(0, length - 1).join("")}…`;
}
