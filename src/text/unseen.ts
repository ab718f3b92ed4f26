/**
 * Characters that move a terminal's cursor, hide text, are invisible or change the direction of text: control
 * characters (C0, DEL, C1), direction marks and overrides, zero-width characters, fillers, tags and lone surrogates.
 */
const HIDDEN =
  "\\p{Cc}\\p{Cs}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";

/** Exceptions that normal texts need: tags of flags, joiners within emoji, and joiners of scripts that use them. */
const NEEDED = [
  "\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,10}\\u{e007f}",
  "(?<=[\\p{Extended_Pictographic}\\p{EMod}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{L}\\p{M}])[\\u200c\\u200d](?=[\\p{L}\\p{M}])",
].join("|");

const UNSEEN = new RegExp(`(?:${NEEDED})|(?<hidden>[${HIDDEN}])`, "gu");
/** Like {@link UNSEEN}, but does not match line breaks and tabs, which lay the text out. */
const UNSEEN_IN_LINES = new RegExp(`(?:${NEEDED})|(?<hidden>(?![\\n\\t])[${HIDDEN}])`, "gu");
/** Matches printable ASCII with line breaks and tabs: a fast path for texts without invisible characters. */
const PLAIN = /^[\n\t -~]*$/;
/** Colours and weights that the program prints; none of these sequences hides text. */
// oxlint-disable-next-line no-control-regex -- colours of a terminal begin with one
const COLORS = /(\u001b\[(?:[0-47]|2[1-47]|3[0-79]|9[0-7])m)/;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Shows a text of unknown origin on one line: invisible characters become escapes, such as `\n` and `\u202e`. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (match, hidden?: string) =>
    hidden === undefined ? match : (SHORT[hidden] ?? escaped(hidden)),
  );
}

/** Escapes the invisible characters of a text of several lines; each line but the first begins with `indent`. */
export function visibleLines(text: string, indent = ""): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(visible)
    .join(`\n${indent}`);
}

/**
 * Escapes the invisible characters of a text for printing, except line breaks and tabs. The escapes are those of JSON,
 * so printed JSON keeps its value.
 *
 * @param hasColors Whether to keep colours.
 */
export function printable(text: string, hasColors: boolean): string {
  if (PLAIN.test(text)) return text;
  const clean = (part: string): string =>
    part.replaceAll(UNSEEN_IN_LINES, (match, hidden?: string) =>
      hidden === undefined ? match : escaped(hidden),
    );
  if (!hasColors) return clean(text);
  return text
    .split(COLORS)
    .map((part, index) => (index % 2 === 1 ? part : clean(part)))
    .join("");
}

/** Escapes a character's UTF-16 units like JSON. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index);
    return `\\u${unit.toString(16).padStart(4, "0")}`;
  }).join("");
}
