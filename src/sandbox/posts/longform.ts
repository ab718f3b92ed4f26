import { POST_LENGTH } from "../../interface/limits.ts";
import type { Post } from "./entities.ts";

/** A text as posts of the data interface carry it, with the link that stands for what was cut off. */
export interface ShownText {
  readonly text: string;
  /** The link at the end of a shortened text, and the page it leads to. */
  readonly more?: { readonly url: string; readonly page: string };
}

/** Whether a post is longer than an ordinary one may be. */
export function isLongform(post: Post): boolean {
  return post.text.length > POST_LENGTH && Array.from(post.text).length > POST_LENGTH;
}

/** The text of a post, shortened where it is longform. Source: "Longform posts" of the interface. */
export function shownText(post: Post): ShownText {
  if (!isLongform(post)) return { text: post.text };
  const url = `https://t.co/${BigInt(post.id).toString(36).slice(-10)}`;
  const tail = `… ${url}`;
  const kept = Array.from(post.text).slice(0, POST_LENGTH - tail.length);
  return {
    text: kept.join("") + tail,
    more: { url, page: `https://platform.example/i/web/status/${post.id}` },
  };
}
