import { POST_LENGTH } from "../../protocol/limits.ts";
import { isLongPost } from "../../protocol/public-text/split.ts";
import { users } from "../model/accounts.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { media, CATEGORIES } from "../model/media.ts";
import { type PostRow, posts } from "../model/posts.ts";
import { inheritedPrefix } from "../model/text/reply-prefix.ts";
import {
  type Attached,
  beginningOf,
  type ShownEntity,
  type ShownText,
  shownText,
} from "./shown-text.ts";

/** Returns whether a post is longer than the limit of ordinary posts. */
export function isLongform(post: PostRow): boolean {
  return isLongPost(post.text);
}

/** Returns the displayed text of a post, shortened if it is longform. Source: "Longform posts" of the interface. */
export function shownPost(world: SandboxWorld, post: PostRow): ShownText {
  return isLongform(post) ? shortened(world, post, POST_LENGTH) : wholePost(world, post);
}

/** Returns the whole displayed text: inherited handles, typed text, links to the quoted post and to media. */
export function wholePost(world: SandboxWorld, post: PostRow): ShownText {
  const { text, typedPrefix = 0, taggedIds = [] } = post;
  const prefix = inheritedPrefix(world, post);
  const attached = [...quoteOf(world, post), ...mediaOf(world, post)];
  const gap = text === "" ? "" : " ";
  const shown = shownText(prefix + text, attached, gap, prefix.length + typedPrefix);
  if (taggedIds.length === 0) return shown;
  return { ...shown, entities: [...shown.entities, ...tagsOf(world, taggedIds, shown)] };
}

/** Returns the beginning of a longform text with a link to the whole post, `length` characters at most. */
export function shortened(world: SandboxWorld, post: PostRow, length: number): ShownText {
  const prefix = inheritedPrefix(world, post);
  const start = prefix.length + (post.typedPrefix ?? 0);
  const typed = upToSpace(prefix + post.text, length * TYPED_PER_SHOWN);
  const shown = shownText(typed, [], "", start);
  return beginningOf(shown, `${SITE}/i/web/status/${post.id}`, length);
}

/** Returns a text up to the first white space after `length` UTF-16 units, so that links and mentions stay whole. */
function upToSpace(text: string, length: number): string {
  const end = text.slice(length).search(/\s/);
  return end < 0 ? text : text.slice(0, length + end);
}

/** Returns the URL of a post's page. */
export function pageOfPost(world: SandboxWorld, { id, authorId }: PostRow): string {
  const name = users.in(world).get(authorId)?.username ?? "i";
  return `${SITE}/${name}/status/${id}`;
}

const SITE = "https://platform.example";
/**
 * Number of typed characters per displayed character that a shortened text is made from. A long link is displayed as a
 * short address. The limit saves time for a text of 25,000 characters.
 */
const TYPED_PER_SHOWN = 10;

function quoteOf(world: SandboxWorld, { quoteOf: id }: PostRow): readonly Attached[] {
  const quoted = id === undefined ? undefined : posts.in(world).get(id);
  return quoted === undefined ? [] : [{ kind: "quote", page: pageOfPost(world, quoted) }];
}

/** Returns mentions of the people tagged in a picture, at the position of the picture's link at the end of the text. */
function tagsOf(
  world: SandboxWorld,
  ids: readonly string[],
  { entities }: ShownText,
): readonly ShownEntity[] {
  const link = entities.find(({ attached }) => attached?.kind === "media");
  if (link === undefined) return [];
  const { start, end } = link;
  return ids.flatMap((id) => {
    const user = users.in(world).get(id);
    return user === undefined ? [] : { kind: "mention", word: user.username, start, end };
  });
}

/** Returns the single link to all of a post's media. */
function mediaOf(world: SandboxWorld, post: PostRow): readonly Attached[] {
  const first = post.mediaIds
    ?.map((id) => media.in(world).get(id))
    .find((one) => one !== undefined);
  if (first === undefined) return [];
  const word = CATEGORIES[first.category].kind === "image" ? "photo" : "video";
  return [{ kind: "media", page: `${pageOfPost(world, post)}/${word}/1` }];
}
