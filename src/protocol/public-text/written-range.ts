/** Part of a text. Offsets count code points; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Fields of a post that separate the author's text from the handles that the platform adds before a reply. */
export interface ReplyText {
  readonly text: string;
  /** Range `[start, end]` of `text` that the author wrote, from the platform's `display_text_range`. */
  readonly range: unknown;
  /** Shortened text of a longform post, and its range. The full text may begin with the same handles. */
  readonly short?: { readonly text: string; readonly range: unknown } | undefined;
  /**
   * Returns the handle, without `@`, of the user to whom the post replies. Undefined if the post is no reply, or
   * replies to its own author.
   */
  readonly answered: () => string | undefined;
}

/**
 * Finds the part of a post's text that its author wrote.
 *
 * The platform reports this part in `display_text_range`. The text before this part has the handles of the thread,
 * first the handle of the answered author; the text after it has links to media. Without a usable range, the handles at
 * the beginning count as added by the platform if the first one is the answered author's.
 */
export function writtenRange({ text, range, short, answered }: ReplyText): TextRange {
  const [from, to] = numbersOf(range);
  if (isOffset(from, text) && isOffset(to, text) && from <= to) {
    // the end may lie behind the space that separates the text from an added link
    const letters = Array.from(textIn(text, { start: from, end: to }).trimEnd());
    return { start: from, end: from + letters.length };
  }
  const start = short && startByShortText(text, short);
  return { start: start ?? prefixLength(text, answered), end: Infinity };
}

/**
 * Returns the start of the author's words in the full text of a longform post, from the range of its shortened text. If
 * the shortened text has no room for all handles, all handles at the beginning count as added by the platform.
 */
function startByShortText(
  text: string,
  short: NonNullable<ReplyText["short"]>,
): number | undefined {
  const [start] = numbersOf(short.range);
  if (!isOffset(start, text)) return undefined;
  if (!ONLY_HANDLES.test(textIn(text, { start: 0, end: start }))) return undefined;
  const shown = short.text.replace(/[@＠]?…[^…]*$/, "");
  const hasWords =
    text.startsWith(shown) && !ONLY_HANDLES.test(textIn(shown, { start, end: Infinity }));
  if (start === 0 || hasWords) return start;
  return Array.from(HANDLES.exec(text)?.[0] ?? "").length;
}

/** Returns the text of a range. */
export function textIn(text: string, { start, end }: TextRange): string {
  if (start === 0 && end === Infinity) return text;
  return Array.from(text).slice(start, end).join("");
}

/** Reads an array of offsets from unchecked JSON. An entry that is no whole number becomes undefined. */
export function numbersOf(value: unknown): readonly (number | undefined)[] {
  return Array.isArray(value)
    ? value.map((one: unknown) => (Number.isInteger(one) ? Number(one) : undefined))
    : [];
}

function isOffset(value: number | undefined, text: string): value is number {
  return value !== undefined && value >= 0 && value <= Array.from(text).length;
}

const HANDLES = /^[@＠](?<first>\w{1,15})(?:\s+[@＠]\w{1,15})*(?:\s+|$)/;

/** A text of handles alone; empty too. */
const ONLY_HANDLES = /^(?:[@＠]\w{1,15}(?:\s+|$))*$/;

/** Length of the thread's handles before a reply that has no range, in code points. */
function prefixLength(text: string, answered: ReplyText["answered"]): number {
  const handles = HANDLES.exec(text);
  if (handles === null) return 0;
  const first = handles.groups?.["first"]?.toLowerCase();
  return answered()?.toLowerCase() === first ? Array.from(handles[0]).length : 0;
}
