import { createHash } from "node:crypto";
import { cut } from "../../protocol/public-text/cut.ts";
import { escapeText } from "../../protocol/written-text.ts";
import { entitiesOf, type TextEntity } from "../../protocol/public-text/entities.ts";

/** A text in its displayed form, with its links, tags and mentions. */
export interface ShownText {
  readonly text: string;
  /** Offset at which the author's own words begin, after the handles of the thread. Counts code points. */
  readonly start: number;
  readonly entities: readonly ShownEntity[];
}

/** Entity of a displayed text. Offsets count code points of that text. */
export interface ShownEntity extends TextEntity {
  /** Target of a link, whose short address is `word`. */
  readonly page?: string;
  /** Object that a link at the end represents; absent for links that the author typed. */
  readonly attached?: Attached;
}

/** An object that the platform represents by a link at the end of a text. */
export interface Attached {
  readonly kind: "media" | "quote" | "more";
  /** Target of the link. */
  readonly page: string;
}

/** Matches the short address by which the platform replaces a link. */
const SHORT = /^https:\/\/t\.co\/\w{10}$/;

/**
 * Returns a text in the live service's form: `&`, `<` and `>` are escaped, links are replaced by short addresses, and
 * links to attached objects follow at the end.
 *
 * @param gap Separator before a link at the end; a space if there is text.
 * @param start Offset at which the author's own words begin, in code points.
 */
export function shownText(
  written: string,
  attached: readonly Attached[] = [],
  gap = written === "" ? "" : " ",
  start = 0,
): ShownText {
  if (attached.length === 0 && !/[&<>.]/.test(written)) return plainText(written, start);
  const letters = Array.from(written);
  const entities: ShownEntity[] = [];
  let text = "";
  let at = 0;
  let done = 0;
  const add = (piece: string): void => {
    text += piece;
    at += Array.from(piece).length;
  };
  const addEntity = (entity: Omit<ShownEntity, "start" | "end">, piece: string): void => {
    const from = at;
    add(piece);
    entities.push({ ...entity, start: from, end: at });
  };
  for (const { kind, word, start: from, end } of entitiesOf(written)) {
    add(escapeText(letters.slice(done, from).join("")));
    const link = kind === "url" ? linkTo(withScheme(word)) : undefined;
    addEntity(link ?? { kind, word }, link?.word ?? letters.slice(from, end).join(""));
    done = end;
  }
  add(escapeText(letters.slice(done).join("")));
  for (const one of attached) {
    add(text === "" ? "" : gap);
    addEntity({ ...linkTo(one.page), attached: one }, shortAddress(one.page));
  }
  return { text, start, entities };
}

/** Returns the displayed form of a text in which nothing is escaped or replaced. */
export function plainText(text: string, start = 0): ShownText {
  return {
    text,
    start,
    get entities() {
      return entitiesOf(text).map((one) =>
        one.kind === "url" ? { ...one, page: withScheme(one.word) } : one,
      );
    },
  };
}

/** Matches an escape of `&`, `<` or `>` that the ellipsis cuts off. */
const HALF_ESCAPE = /&\w{0,3}…$/;

/**
 * Returns the beginning of a displayed text, an ellipsis, and a link to the whole: `length` characters at most.
 * Graphemes, links and mentions stay whole. The entities are those of the passed text, so a tag that is cut is no tag.
 *
 * @param page Target of the link.
 */
export function beginningOf(whole: ShownText, page: string, length: number): ShownText {
  const link = { ...linkTo(page), attached: { kind: "more", page } } as const;
  const shown = cut(`${whole.text}…`, length - link.word.length - 1).replace(HALF_ESCAPE, "…");
  const end = Array.from(shown).length - "…".length;
  const start = end + "… ".length;
  return {
    text: `${shown} ${link.word}`,
    start: Math.min(whole.start, end),
    entities: [
      ...whole.entities.filter((one) => one.end <= end),
      { ...link, start, end: start + link.word.length },
    ],
  };
}

/**
 * Returns `display_text_range`: start and end, in code points, of the text without the thread's handles at the
 * beginning and the link to media at the end.
 */
export function displayRange({ text, start, entities }: ShownText): [number, number] {
  const media = entities.find(({ attached }) => attached?.kind === "media");
  const end = media === undefined ? Array.from(text).length : media.start - 1;
  return [start, Math.max(start, end)];
}

/** Returns a typed link as a URL: with `http://` if it has no scheme. Source: recorded posts of the live service. */
export function withScheme(link: string): string {
  return /^https?:\/\//i.test(link) ? link : `http://${link}`;
}

function linkTo(page: string): Pick<ShownEntity, "kind" | "word" | "page"> {
  return { kind: "url", word: shortAddress(page), page };
}

/** Returns the short address of a page. The same page always has the same short address. */
function shortAddress(page: string): string {
  if (SHORT.test(page)) return page;
  const digest = createHash("sha256").update(page).digest("hex");
  return `https://t.co/${BigInt(`0x${digest.slice(0, 16)}`)
    .toString(36)
    .slice(-10)
    .padStart(10, "0")}`;
}
