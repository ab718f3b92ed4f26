import type { Mistake } from "../../../config/problem.ts";

/** Operators that compare texts as they are written. */
const COMPARING: ReadonlySet<string> = new Set([
  "equals",
  "in",
  "contains",
  "contains_word",
  "contains_any",
  "contains_all",
  "starts_with",
  "ends_with",
]);
/** Signs that only a pattern has: classes, repeated classes, groups with alternatives. */
const PATTERN =
  /\\[dDwWsSbB](?![A-Za-z])|\.[*+](?:$|[^*+])|\[[^\]]+\][+*?{]|\(\?[:iP<]|\([\p{L}\p{N} ]+(?:\|[\p{L}\p{N} ]+)+\)/u;
const ALTERNATIVES = /^[^|]*[\p{L}\p{N}] ?\| ?[\p{L}\p{N}]/u;
/** A star at an end, beside a letter: `hel*`, `*lo`. */
const GLOB = /^\*(?=[\p{L}\p{N}])|(?<=\p{L})\*$/u;
/** `^hi`, and `bye$`: a price such as `US$` has no small letter there. */
const ANCHOR = /^\^(?=[\p{L}\p{N}])|(?<=\p{Ll})\$$/u;

/** The warning for a text that is written as a pattern where no pattern is read. */
export function patternElsewhere(
  field: string,
  operator: string,
  text: string,
): Mistake | undefined {
  if (!COMPARING.has(operator)) return undefined;
  const help = helpFor(operator, text);
  if (help === undefined) return undefined;
  return {
    code: "pattern-elsewhere",
    severity: "warning",
    message: `"${operator}" reads no pattern: it looks for exactly these signs`,
    help: `write  ${field}: { ${help} }`,
  };
}

function helpFor(operator: string, text: string): string | undefined {
  if (PATTERN.test(text)) return `matches: '${text.replaceAll("'", "''")}'`;
  if (ALTERNATIVES.test(text)) {
    const words = text.split("|").map((word) => word.trim());
    const listed = operator === "equals" ? "in" : operator;
    return `${listed}: [${words
      .filter((word) => word !== "")
      .map(quoted)
      .join(", ")}]`;
  }
  if (GLOB.test(text)) return bounded(operator, text, "*");
  return ANCHOR.test(text) ? bounded(operator, text, "") : undefined;
}

/** The operator for a text with a star or an anchor at its ends. */
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
