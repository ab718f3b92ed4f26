import type { Trap } from "./trap.ts";

/** Blanks that YAML does not read as spaces: no-break spaces, typographic and ideographic spaces. */
const BLANK = "\\u00a0\\u1680\\u2000-\\u200b\\u202f\\u205f\\u3000\\ufeff";
const KEY = `[\\w.]+:(?=\\s|$)`;

/** Blank in front of a key, behind the colon of a key, or behind a dash. */
const BLANKS = [
  new RegExp(`^([ \\t]*)([${BLANK}]+)[\\s${BLANK}]*(?:-\\s+)?${KEY}`),
  new RegExp(`^(\\s*(?:- +)?[\\w.]+:) *([${BLANK}]+)`),
  new RegExp(`^(\\s*-) *([${BLANK}]+)`),
];
/** Dash or bullet in front of a key. */
const DASH = /^(\s*)([\u2010-\u2015\u2022\u2212\u00b7\u25cf\u25e6\u25aa*+])\s+[\w.]+(?::|$)/;
const COLON = /^(\s*(?:- +)?[\w.]+\s*)([\uff1a\ufe55\ufe13\u2236])/;

/**
 * Finds a character at the beginning of a line that looks like a blank, a dash or a colon of YAML.
 *
 * @param isWrong Whether the line is no YAML. Other lines may be texts with such a dash or colon.
 */
export function lookAlikeIn(
  line: string,
  { isWrong }: { readonly isWrong: boolean },
): Trap | undefined {
  for (const pattern of BLANKS) {
    const blank = spotOf(pattern, line);
    if (blank) return mistakeAt(blank, "a space", "put ordinary spaces there");
  }
  const dash = isWrong ? spotOf(DASH, line) : undefined;
  if (dash) return mistakeAt(dash, 'the "-" before an item of a list', 'write "- " instead');
  const colon = isWrong ? spotOf(COLON, line) : undefined;
  return colon && mistakeAt(colon, 'the ":" after a key', 'write ": " instead');
}

interface CharacterSpot {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function spotOf(pattern: RegExp, line: string): CharacterSpot | undefined {
  const [, before, text] = pattern.exec(line) ?? [];
  if (before === undefined || text === undefined) return undefined;
  return { start: before.length, end: before.length + text.length, text };
}

function mistakeAt({ start, end, text }: CharacterSpot, meant: string, help: string): Trap {
  const code = (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const shown = /^\s|\u200b/u.test(text) ? `U+${code}` : `"${text}" (U+${code})`;
  const message = `YAML needs ${meant} here, not the character ${shown}`;
  return { start, end, mistake: { code: "look-alike", message, help } };
}
