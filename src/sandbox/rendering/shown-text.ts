import { createHash } from "node:crypto";
import { escapeText } from "../../protocol/written-text.ts";
import { entitiesOf, type TextEntity } from "../../protocol/public-text/entities.ts";

/** A text as the platform shows it, and what stands in it besides words. */
export interface ShownText {
  readonly text: string;
  /** Offset at which the author's own words begin, behind the handles of the thread. Counts code points. */
  readonly start: number;
  readonly entities: readonly ShownEntity[];
}

/** Offsets count code points of the text that is shown. */
export interface ShownEntity extends TextEntity {
  /** Of a link: where it leads to. `word` is its short address. */
  readonly page?: string;
  /** Of a link that the platform has put at the end. */
  readonly attached?: Attached;
}

/** What the platform shows at the end of a text as a link. */
export interface Attached {
  readonly kind: "media" | "quote" | "more";
  /** Where the link leads to. */
  readonly page: string;
}

/** What a short address looks like. */
const SHORT = /^https:\/\/t\.co\/\w{10}$/;

/**
 * A text as the live service sends it: `&`, `<` and `>` escaped, each link replaced by a short address, and links to
 * what is attached at its end.
 *
 * @param gap What stands before a link at the end; a space, where there is text.
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
    const piece = letters.slice(from, end).join("");
    if (kind === "url") addEntity(linkTo(word), shortAddress(word));
    else addEntity({ kind, word }, piece);
    done = end;
  }
  add(escapeText(letters.slice(done).join("")));
  for (const one of attached) {
    add(text === "" ? "" : gap);
    addEntity({ ...linkTo(one.page), attached: one }, shortAddress(one.page));
  }
  return { text, start, entities };
}

/** A text that is shown as it was written. */
export function plainText(text: string, start = 0): ShownText {
  return {
    text,
    start,
    get entities() {
      return entitiesOf(text).map((one) => (one.kind === "url" ? { ...one, page: one.word } : one));
    },
  };
}

/** `display_text_range`: the part between the thread's handles and links to media, as offsets in code points. */
export function displayRange({ text, start, entities }: ShownText): [number, number] {
  const media = entities.find(({ attached }) => attached?.kind === "media");
  const end = media === undefined ? Array.from(text).length : media.start - 1;
  return [start, Math.max(start, end)];
}

function linkTo(page: string): Pick<ShownEntity, "kind" | "word" | "page"> {
  return { kind: "url", word: shortAddress(page), page };
}

/** The same for the same page. */
function shortAddress(page: string): string {
  if (SHORT.test(page)) return page;
  const digest = createHash("sha256").update(page).digest("hex");
  return `https://t.co/${BigInt(`0x${digest.slice(0, 16)}`)
    .toString(36)
    .slice(-10)
    .padStart(10, "0")}`;
}
