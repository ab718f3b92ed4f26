import { type ShownLink, writtenText } from "../../protocol/written-text.ts";

/** A message or post as the platform returns it, with its `entities`. */
interface Shown {
  readonly text?: string | undefined;
  readonly entities?:
    | {
        readonly urls?:
          | readonly {
              readonly url: string;
              readonly expanded_url?: string | null | undefined;
              readonly media_key?: string | null | undefined;
            }[]
          | null
          | undefined;
      }
    | undefined;
}

/**
 * Restores the text as its author wrote it: with full links instead of short ones, and without the links that the
 * platform adds for pictures.
 */
export function textAsWritten({ text = "", entities }: Shown): string {
  const pictures: string[] = [];
  const links: ShownLink[] = [];
  for (const { url, expanded_url: page, media_key: medium } of entities?.urls ?? []) {
    links.push({ url, expanded_url: page ?? undefined });
    if (typeof medium === "string") pictures.push(url);
  }
  return writtenText(text, links, pictures);
}
