import { POST_LENGTH } from "../../../protocol/limits.ts";
import type { PostRow } from "../entities.ts";

/** The text of a post in the data interface, with the link to what was cut off. */
export interface DisplayText {
  readonly text: string;
  /** The link at the end of a shortened text, and the page it leads to. */
  readonly more?: { readonly url: string; readonly page: string };
}

/** Whether a post is longer than an ordinary one may be. */
export function isLongform(post: PostRow): boolean {
  return post.text.length > POST_LENGTH && Array.from(post.text).length > POST_LENGTH;
}

/** The text of a post, shortened where it is longform. Source: "Longform posts" of the interface. */
export function displayText(post: PostRow): DisplayText {
  if (!isLongform(post)) return { text: post.text };
  const { kept, tail, url, page } = shorten(post, POST_LENGTH);
  return { text: kept + tail, more: { url, page } };
}

/** The beginning of a longform text, and the tail with the link that makes it `length` characters. */
export function shorten(
  { id, text }: PostRow,
  length: number,
): { readonly kept: string; readonly tail: string; readonly url: string; readonly page: string } {
  const url = `https://t.co/${BigInt(id).toString(36).slice(-10)}`;
  const tail = `… ${url}`;
  const kept = Array.from(text)
    .slice(0, length - tail.length)
    .join("");
  return { kept, tail, url, page: `https://platform.example/i/web/status/${id}` };
}
