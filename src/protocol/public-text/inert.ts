import { entitiesOf } from "./entities.ts";

/** Character without width that keeps a sign from being read as part of a mention or link. */
const WORD_JOINER = "\u2060";

/**
 * Takes the effect from mentions and links of a public text: they read as before, notify nobody and lead nowhere.
 *
 * @param brought The mentions, as `@handle`, and links that lose their effect.
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
