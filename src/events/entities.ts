import { type ShownLink, writtenText } from "../protocol/written-text.ts";
import type { Mention } from "./event.ts";
import { idAt, objectsAt, textAt, type Wire } from "./wire.ts";

/** A text as its author wrote it, and what stands in it besides words. */
interface TextParts {
  readonly text: string;
  /** The text as the platform sent it, where that is another. */
  readonly rawText?: string;
  readonly mentions: readonly Mention[];
  readonly hashtags: readonly string[];
  readonly urls: readonly string[];
}

/** Where the picture of a message is shown. */
const PICTURE = /\/messages\/media\/\d+$/;

/**
 * A text with its `entities` object.
 *
 * @param quoted Id of the post that it quotes: the platform adds a link to it.
 */
export function textOf(rawText: string, entities: Wire | undefined, quoted?: string): TextParts {
  const links = objectsAt(entities, "urls").flatMap(linkOf);
  const isAdded = ({ expanded_url: page = "" }: ShownLink): boolean =>
    PICTURE.test(page) || (quoted !== undefined && page.endsWith(`/status/${quoted}`));
  const media = objectsAt(entities, "media").flatMap(linkOf);
  const added = [...media, ...links.filter(isAdded)].map(({ url }) => url);
  const text = writtenText(rawText, links, added);
  return {
    text,
    ...(text === rawText ? {} : { rawText }),
    mentions: objectsAt(entities, "user_mentions").flatMap((mention) => {
      const id = idAt(mention);
      return id === undefined ? [] : [{ id, username: textAt(mention, "screen_name") ?? "" }];
    }),
    hashtags: objectsAt(entities, "hashtags").flatMap((tag) => textAt(tag, "text") ?? []),
    urls: links.filter((link) => !isAdded(link)).map((link) => link.expanded_url ?? link.url),
  };
}

function linkOf(wire: Wire): ShownLink[] {
  const page = textAt(wire, "expanded_url");
  const url = textAt(wire, "url") ?? page;
  return url === undefined ? [] : [{ url, expanded_url: page }];
}
