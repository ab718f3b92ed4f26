import { isPageOf, type ShownLink, writtenText } from "../protocol/written-text.ts";
import { sliceOf, type WrittenPart } from "./own-words.ts";
import { objectsAt, textAt, type Wire } from "./wire.ts";

/** Text of a message or post as its author wrote it, with its tags and links. */
interface TextParts {
  readonly text: string;
  /** The text including the handles that the platform added before it; absent if there are none. */
  readonly fullText?: string;
  /** The text as the platform sent it; absent if it equals `text`. */
  readonly rawText?: string;
  readonly hashtags: readonly string[];
  readonly cashtags: readonly string[];
  readonly urls: readonly string[];
}

/** URL of the page that shows a message's picture. */
const PICTURE = /\/messages\/media\/\d+$/;

/** Quoted post, to which the platform adds a link at the end of the text. */
interface QuotedPost {
  readonly id: string | undefined;
  /** Short address of the link, which `entities` need not list. */
  readonly shortUrl: string | undefined;
}

/**
 * Reads a text with its `entities` object.
 *
 * @param part The text as the platform sent it, with the range that the author wrote.
 * @param quoted The quoted post. The link to this post at the end of the text is removed.
 */
export function textOf(
  part: WrittenPart,
  entities: Wire | undefined,
  quoted?: QuotedPost,
): TextParts {
  const { text: rawText, start } = part;
  const links = linksIn(entities, "urls");
  const isAdded = ({ expanded_url: page = "" }: ShownLink): boolean =>
    PICTURE.test(page) || isPageOf(quoted?.id, page);
  const own = links.filter((link) => !isAdded(link));
  const added = linksIn(entities, "media").map(({ url }) => url);
  if (quoted?.shortUrl !== undefined) added.push(quoted.shortUrl);
  if (own.length < links.length) added.push(...links.filter(isAdded).map(({ url }) => url));
  const text = writtenText(sliceOf(part), links, added);
  return {
    text,
    ...(start === 0 ? {} : { fullText: writtenText(rawText, links, added) }),
    ...(text === rawText ? {} : { rawText }),
    hashtags: tagsIn(entities, "hashtags"),
    cashtags: tagsIn(entities, "symbols"),
    urls: own.map((link) => link.expanded_url ?? link.url),
  };
}

function tagsIn(entities: Wire | undefined, key: "hashtags" | "symbols"): readonly string[] {
  return objectsAt(entities, key)
    .map((tag) => textAt(tag, "text"))
    .filter((text) => text !== undefined);
}

/** Returns the URL of a picture or video in an event body. */
export function mediaUrlOf(media: Wire | undefined): string | undefined {
  return textAt(media, "media_url_https") ?? textAt(media, "media_url");
}

function linksIn(entities: Wire | undefined, key: "urls" | "media"): readonly ShownLink[] {
  const links: ShownLink[] = [];
  for (const wire of objectsAt(entities, key)) {
    const page = textAt(wire, "expanded_url");
    const url = textAt(wire, "url") ?? page;
    if (url !== undefined) links.push({ url, expanded_url: page });
  }
  return links;
}
