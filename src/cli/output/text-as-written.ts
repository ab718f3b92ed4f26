import { writtenText } from "../../protocol/written-text.ts";

/** A message or post as the platform returns it, with its `entities`. */
interface Shown {
  readonly text?: string | undefined;
  readonly entities?:
    | {
        readonly urls?:
          | readonly {
              readonly url: string;
              readonly expanded_url?: string | undefined;
              readonly media_key?: string | undefined;
            }[]
          | undefined;
      }
    | undefined;
}

/**
 * Restores the text as its author wrote it: with full links instead of short ones, and without the links that the
 * platform adds for pictures.
 */
export function textAsWritten({ text = "", entities }: Shown): string {
  const links = entities?.urls ?? [];
  const pictures = links.filter((link) => link.media_key !== undefined).map(({ url }) => url);
  return writtenText(text, links, pictures);
}
