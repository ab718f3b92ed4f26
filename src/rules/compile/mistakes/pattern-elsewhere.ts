import type { Mistake } from "../../../config/problem.ts";
import { comparesTexts } from "../../operators/operators.ts";

/** Matches syntax that only regular expressions have, such as `\d`, `.*`, `[a-z]+` or `(hi|hello)`. */
const PATTERN =
  /\\[dDwWsSbB](?![A-Za-z])|\.[*+](?:$|[^*+])|\[[^\]]+\][+*?{]|\(\?[:iP<]|\([\p{L}\p{N} ]+(?:\|[\p{L}\p{N} ]+)+\)/u;
const ALTERNATIVES = /^[^|]*[\p{L}\p{N}] ?\| ?[\p{L}\p{N}]/u;
/** Matches words with commas between them: `hi, hello, hey`, `hi,hello`. In `yes, please` the comma is part of the phrase. */
const LISTED = /^[\p{L}\p{N}]+(?:,[\p{L}\p{N}]+|(?:, ?[\p{L}\p{N}]+){2,})$/u;
/** Matches a star at the beginning or end, beside a letter: `hel*`, `*lo`. */
const GLOB = /^\*(?=[\p{L}\p{N}])|(?<=\p{L})\*$/u;
/** Matches `^hi` and `bye$`, but not a price such as `US$`, which has no small letter before the sign. */
const ANCHOR = /^\^(?=[\p{L}\p{N}])|(?<=\p{Ll})\$$/u;

/**
 * Returns the warning about operands that look like patterns, although their operator compares plain text. The help of
 * the warning covers all these operands.
 *
 * @param isListed Whether the texts are a list: then a comma in one of them is deliberate.
 */
export function patternElsewhere(
  field: string,
  operator: string,
  texts: readonly string[],
  isListed: boolean,
): { readonly text: string; readonly mistake: Mistake } | undefined {
  if (!comparesTexts(operator)) return undefined;
  const [only = ""] = texts;
  if (operator === "contains_word" && !isListed && LISTED.test(only)) {
    const words = wordsIn(only, ",").map(quoted).join(", ");
    const help = `write  ${field}: { contains_word: [${words}] }  or, for this very text,  contains_word: [${JSON.stringify(only)}]`;
    return { text: only, mistake: mistakeOf(operator, help) };
  }
  const wrong = texts.find((text) => meaning(operator, text) !== undefined);
  if (wrong === undefined) return undefined;
  return { text: wrong, mistake: mistakeOf(operator, `write  ${instead(field, operator, texts)}`) };
}

function mistakeOf(operator: string, help: string): Mistake {
  const message = `"${operator}" reads no patterns: it looks for exactly this text`;
  return { code: "pattern-elsewhere", severity: "warning", message, help };
}

function instead(field: string, operator: string, texts: readonly string[]): string {
  const read = texts.map((text) => meaning(operator, text) ?? { words: [text] });
  const words = read.flatMap((one) => ("words" in one ? one.words : []));
  const matchers = read.flatMap((one) => ("asks" in one ? [one.asks] : []));
  const [only] = words;
  const listed = operator === "equals" ? "in" : operator;
  const wordMatchers =
    words.length > 1
      ? [`${listed}: [${words.map(quoted).join(", ")}]`]
      : only === undefined
        ? []
        : [`${operator}: ${quoted(only)}`];
  const [first, ...others] = [...wordMatchers, ...matchers].map((one) => `${field}: { ${one} }`);
  if (others.length === 0) return first ?? "";
  return `any: [${[first, ...others].map((one) => `{ ${one} }`).join(", ")}]`;
}

/** Returns the probable meaning of a text that looks like a pattern: several words, or another operator. */
function meaning(
  operator: string,
  text: string,
): { readonly words: readonly string[] } | { readonly asks: string } | undefined {
  if (PATTERN.test(text)) return { asks: `matches: '${text.replaceAll("'", "''")}'` };
  if (ALTERNATIVES.test(text)) return { words: wordsIn(text, "|") };
  if (GLOB.test(text)) return { asks: bounded(operator, text, "*") };
  return ANCHOR.test(text) ? { asks: bounded(operator, text, "") } : undefined;
}

function wordsIn(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Returns the operator for a text with a star or an anchor at its ends, such as `starts_with: hel` for `hel*`. */
function bounded(operator: string, text: string, star: "*" | ""): string {
  const [, begin = "", word = "", end = ""] = /^([*^]?)(.*?)([*$]?)$/su.exec(text) ?? [];
  const isOpen = { begin: begin === star && star !== "", end: end === star && star !== "" };
  if (star === "") {
    if (begin !== "" && end !== "") return `equals: ${quoted(word)}`;
    return begin === "" ? `ends_with: ${quoted(word)}` : `starts_with: ${quoted(word)}`;
  }
  if (isOpen.begin && isOpen.end) return `contains: ${quoted(word)}`;
  if (operator.startsWith("contains")) {
    const source = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return `matches: '${isOpen.end ? `\\b${source}` : `${source}\\b`}'`.replaceAll(
      /(?<=\w)'(?=\w)/g,
      "''",
    );
  }
  return isOpen.end ? `starts_with: ${quoted(word)}` : `ends_with: ${quoted(word)}`;
}

function quoted(word: string): string {
  return /^\p{L}[\p{L}\p{N}]*$/u.test(word) && !/^(?:true|false|null)$/i.test(word)
    ? word
    : JSON.stringify(word);
}
