import { writtenText } from "../../protocol/written-text.ts";

/** A message or post of the data interface, with its `entities`. */
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

/** Restores the text that the author wrote: with full links, and without the links of pictures. */
export function textAsWritten({ text = "", entities }: Shown): string {
  const links = entities?.urls ?? [];
  const pictures = links.filter((link) => link.media_key !== undefined).map(({ url }) => url);
  return writtenText(text, links, pictures);
}
