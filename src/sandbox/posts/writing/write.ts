import { cut } from "../../../protocol/public-text/cut.ts";
import { type UserRow, users } from "../../model/accounts.ts";
import { emit } from "../../activity/emit.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { mentionedIn } from "../../model/text/mentions.ts";
import { inheritedPrefix, replyChain, typedPrefixLength } from "../../model/text/reply-prefix.ts";
import { isNotified } from "../../model/hidden-reason.ts";
import { likes, NEW_POSTS, type PostRow, posts, versionsOf } from "../../model/posts.ts";

/** A post to be created. The posts to which it refers must exist. */
export interface PostDraft extends Pick<
  PostRow,
  "mediaIds" | "taggedIds" | "pollId" | "placeId" | "replySettings" | "extra"
> {
  readonly text: string;
  readonly replyTo?: PostRow | undefined;
  /** Ids of users whose handles are not put in front of the reply. */
  readonly excludedIds?: readonly string[] | undefined;
  /** Whether the author types the thread's handles, instead of the platform adding them to a reply. */
  readonly typesHandles?: boolean | undefined;
  readonly quoteOf?: PostRow | undefined;
  readonly repostOf?: PostRow | undefined;
  /** Version that this post replaces. */
  readonly replaces?: PostRow | undefined;
  readonly appId?: string | undefined;
}

/** Creates a post, emits an activity to the involved users who are notified, and offers the post to open streams. */
export function createPost(sandbox: Sandbox, author: UserRow, draft: PostDraft): PostRow {
  const { world } = sandbox;
  const { text, replyTo, excludedIds, typesHandles, quoteOf, repostOf, replaces, appId, ...rest } =
    draft;
  const id = world.ids.next();
  const post = posts.in(world).put({
    id,
    authorId: author.id,
    text,
    at: sandbox.time.now(),
    ...replyPart(world, author, draft),
    ...(quoteOf === undefined ? {} : { quoteOf: quoteOf.id }),
    ...(repostOf === undefined ? {} : { repostOf: repostOf.id, repostOfUserId: repostOf.authorId }),
    ...(replaces === undefined ? {} : { editOf: replaces.editOf ?? replaces.id }),
    conversationId: replaces?.conversationId ?? replyTo?.conversationId ?? id,
    ...(appId === undefined ? {} : { appId }),
    ...rest,
  });
  if (replaces !== undefined) posts.in(world).update(replaces.id, { replacedBy: id });
  const involved = involvedIn(sandbox, post).filter((userId) => isNotified(world, userId, post));
  emit(sandbox, { kind: "post", by: author.id, ref: id, involved });
  sandbox.streams.offer(NEW_POSTS, id);
  return post;
}

/** Returns the properties that an edit takes over from the version that it replaces: everything besides the text. */
export function unchangedBy({ world }: Sandbox, replaces: PostRow): Omit<PostDraft, "text"> {
  const { mediaIds, taggedIds, pollId, placeId, replySettings, extra } = replaces;
  const table = posts.in(world);
  return {
    ...(mediaIds === undefined ? {} : { mediaIds }),
    ...(taggedIds === undefined ? {} : { taggedIds }),
    ...(pollId === undefined ? {} : { pollId }),
    ...(placeId === undefined ? {} : { placeId }),
    ...(replySettings === undefined ? {} : { replySettings }),
    ...(extra === undefined ? {} : { extra }),
    replyTo: table.get(replaces.replyTo ?? ""),
    quoteOf: table.get(replaces.quoteOf ?? ""),
    replaces,
  };
}

/** Returns the properties of a post's row that are set for replies only. */
function replyPart(
  world: SandboxWorld,
  author: UserRow,
  { text, replyTo: parent, excludedIds, typesHandles }: PostDraft,
): Partial<PostRow> {
  if (parent === undefined) return {};
  const chain = replyChain(world, { authorId: author.id, parent, excludedIds });
  const typedPrefix = typesHandles === true ? typedPrefixLength(world, text, chain) : 0;
  return {
    replyTo: parent.id,
    replyToUserId: parent.authorId,
    ...(typesHandles === true || chain.length === 0 ? {} : { inheritedIds: chain }),
    ...(typedPrefix === 0 ? {} : { typedPrefix }),
  };
}

/** Maximum length of a repost's text, in code points. Source: recorded reposts of the live service. */
const REPOST_LENGTH = 140;

/** Reposts `original`; returns the existing repost if there is one. */
export function repost(
  sandbox: Sandbox,
  user: UserRow,
  original: PostRow,
  appId?: string,
): PostRow {
  const existing = repostOf(sandbox, user, original.id);
  if (existing !== undefined) return existing;
  const name = users.in(sandbox.world).get(original.authorId)?.username ?? "";
  const text = `RT @${name}: ${inheritedPrefix(sandbox.world, original)}${original.text}`;
  return createPost(sandbox, user, {
    text: cut(text, REPOST_LENGTH),
    repostOf: original,
    appId,
  });
}

/** Finds a user's repost of a post. The id of a repost names its original. */
export function repostOf({ world }: Sandbox, user: UserRow, postId: string): PostRow | undefined {
  const table = posts.in(world);
  return table.first("repostBy", `${user.id}:${table.get(postId)?.repostOf ?? postId}`);
}

/** Deletes all versions of a post. Returns the id of the activity that reports the deletion of `post`. */
export function deleteVersions(sandbox: Sandbox, post: PostRow): string {
  let eventId = "";
  for (const version of versionsOf(sandbox.world, post)) {
    if (version.deletedAt !== undefined) continue;
    const id = deletePost(sandbox, version);
    if (version.id === post.id) eventId = id;
  }
  return eventId;
}

/**
 * Marks a post and its reposts as deleted, and deletes its likes. Emits an activity to the users involved in the post.
 * Returns the activity's id.
 */
export function deletePost(sandbox: Sandbox, post: PostRow): string {
  const { world, time } = sandbox;
  const table = posts.in(world);
  for (const { id } of [post, ...table.where("repostOf", post.id)]) {
    table.update(id, { deletedAt: time.now() });
  }
  for (const { id } of likes.in(world).where("post", post.id)) likes.in(world).delete(id);
  return emit(sandbox, {
    kind: "delete",
    by: post.authorId,
    ref: post.id,
    involved: involvedIn(sandbox, post),
  });
}

/** Likes a post, unless the user likes it already, and emits an activity to user and author. Returns the like's id. */
export function like(sandbox: Sandbox, user: UserRow, post: PostRow): string {
  const { world } = sandbox;
  const table = likes.in(world);
  const existing = table.first("pair", `${user.id}:${post.id}`);
  if (existing !== undefined) return existing.id;
  const newLike = table.put({
    id: world.random.bytes(16).toString("hex"),
    seq: world.ids.next(),
    userId: user.id,
    postId: post.id,
    at: sandbox.time.now(),
  });
  const { id } = newLike;
  const involved = [user.id, post.authorId];
  emit(sandbox, { kind: "like", by: user.id, ref: post.id, like: id, involved });
  return id;
}

/** Removes a like. The id of a repost names its original. The interface has no event for the removal. */
export function unlike({ world }: Sandbox, user: UserRow, postId: string): void {
  const table = likes.in(world);
  const originalId = posts.in(world).get(postId)?.repostOf ?? postId;
  const existing = table.first("pair", `${user.id}:${originalId}`);
  if (existing !== undefined) table.delete(existing.id);
}

/**
 * Returns the ids of a post's author and of the answered, quoted, mentioned and tagged users; for a repost, of its
 * author and the author of the original.
 */
function involvedIn({ world }: Sandbox, post: PostRow): string[] {
  const table = posts.in(world);
  const authorOf = (id: string | undefined): string[] => {
    const author = id === undefined ? undefined : table.get(id)?.authorId;
    return author === undefined ? [] : [author];
  };
  if (post.repostOf !== undefined) return [post.authorId, ...authorOf(post.repostOf)];
  const named = [...mentionedIn(world, post), ...(post.taggedIds ?? [])];
  return [post.authorId, ...authorOf(post.replyTo), ...authorOf(post.quoteOf), ...named];
}
