import { entitiesOf } from "./entities.ts";

/**
 * Zero-width character after the `@`, `.` or `:` of a mention or link. With it, the platform sees no mention or link.
 */
const WORD_JOINER = "\u2060";

/**
 * Makes mentions and links of a public text inert: the text looks the same, but notifies no user and has no links.
 *
 * @param brought The mentions, as `@handle`, and links to make inert.
 */
export function inert(text: string, brought: readonly string[]): string {
  const names = new Set(brought.map((one) => one.toLowerCase()));
  const points = Array.from(text);
  let result = "";
  let from = 0;
  for (const { kind, word, start, end } of entitiesOf(text)) {
    const name = kind === "mention" ? `@${word}` : word;
    if ((kind !== "mention" && kind !== "url") || !names.has(name.toLowerCase())) continue;
    const written = points.slice(start, end).join("");
    result += points.slice(from, start).join("") + written.replaceAll(SIGN[kind], joined);
    from = end;
  }
  return result + points.slice(from).join("");
}

const SIGN = { mention: /[@＠]/g, url: /[.:]/g } as const;

function joined(sign: string): string {
  return `${sign}${WORD_JOINER}`;
}
