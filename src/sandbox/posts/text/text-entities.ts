/** A mention, tag or link in a text. Offsets count code points; `end` is after the last. */
export interface TextEntity {
  readonly kind: "mention" | "hashtag" | "cashtag" | "url";
  /** Without the leading `@`, `#` or `$`. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const WORDS =
  /(?<url>https?:\/\/[^\s]+[^\s.,;:!?)\]'"])|(?<![\p{L}\p{N}_@#$])(?:@(?<mention>[A-Za-z0-9_]{1,15})(?![A-Za-z0-9_])|#(?<hashtag>[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*)|\$(?<cashtag>[A-Za-z]{1,6})(?![A-Za-z0-9_]))/gu;

/** Mentions, tags and links of `text`, in order. */
export function textEntities(text: string): TextEntity[] {
  const found: TextEntity[] = [];
  for (const match of text.matchAll(WORDS)) {
    const start = Array.from(text.slice(0, match.index)).length;
    const end = start + Array.from(match[0]).length;
    for (const kind of ["mention", "hashtag", "cashtag", "url"] as const) {
      const word = match.groups?.[kind];
      if (word !== undefined) found.push({ kind, word, start, end });
    }
  }
  return found;
}
