import * as z from "zod";
import { REPLY_SETTINGS } from "../../protocol/post-options.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { termsOf } from "./text/terms.ts";

/** Maximum number of handles that a reply inherits from its thread. */
export const MAX_INHERITED_HANDLES = 50;

const postSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  authorId: z.string(),
  /** Text that the author typed, without inherited handles. */
  text: z.string(),
  at: instant,
  /** Ids of users whose handles precede a reply because its thread mentions them. Fixed when the reply is created. */
  inheritedIds: z.array(z.string()).max(MAX_INHERITED_HANDLES).optional(),
  /** Code points at the start of a reply's `text` that are handles typed by the author, as in version 1.1. */
  typedPrefix: z.int().positive().optional(),
  replyTo: z.string().optional(),
  /** Author of the answered post; stored because that post may be deleted. */
  replyToUserId: z.string().optional(),
  quoteOf: z.string().optional(),
  repostOf: z.string().optional(),
  /** Author of the reposted post. */
  repostOfUserId: z.string().optional(),
  /** Id of the thread's first post; the post's own id if it starts a thread. */
  conversationId: z.string(),
  /** App that sent the post; absent if the person used the platform's own app. */
  appId: z.string().optional(),
  deletedAt: instant.optional(),
  /** Id of the first version, set in later versions. */
  editOf: z.string().optional(),
  /** Id of the next version; absent in the latest one. */
  replacedBy: z.string().optional(),
  mediaIds: z.array(z.string()).optional(),
  /** Ids of people tagged in the media. */
  taggedIds: z.array(z.string()).optional(),
  pollId: z.string().optional(),
  placeId: z.string().optional(),
  replySettings: z.enum(REPLY_SETTINGS).optional(),
  /** Whether the author of the conversation's first post has hidden this reply. */
  hidden: z.boolean().optional(),
  /** Further fields of the post object, under the names that the interface uses. */
  extra: z.record(z.string(), z.unknown()).optional(),
});

/** A post in its stored form. A deleted post stays, since replies to and quotes of it are still rendered. */
export type PostRow = z.infer<typeof postSchema>;

/** Returns whether lists and counts include a post: it is neither deleted nor replaced by an edit. */
export function isListed(post: PostRow): boolean {
  return post.deletedAt === undefined && post.replacedBy === undefined;
}

const listed =
  (read: (row: PostRow) => string | readonly string[] | undefined) =>
  (row: PostRow): string | readonly string[] | undefined =>
    isListed(row) ? read(row) : undefined;

/**
 * Returns the terms under which search finds a post: words, tags, mentions, and properties such as `has:media`.
 *
 * A repost is indexed by the author of its original, not by the words of the original.
 */
function searchTermsOf(post: PostRow): string[] {
  const marks = [
    ...(post.repostOf === undefined ? [] : ["is:retweet"]),
    ...(post.replyTo === undefined ? [] : ["is:reply"]),
    ...(post.quoteOf === undefined ? [] : ["is:quote"]),
    ...(post.mediaIds === undefined ? [] : ["has:media"]),
    ...(post.placeId === undefined ? [] : ["has:geo"]),
    ...(post.replyToUserId === undefined ? [] : [`to:${post.replyToUserId}`]),
    ...(post.repostOfUserId === undefined ? [] : [`rt:${post.repostOfUserId}`]),
    ...(post.inheritedIds ?? []).map((id) => `inherits:${id}`),
  ];
  return post.repostOf === undefined ? [...termsOf(post.text), ...marks] : marks;
}

/** Value under which the index `every` lists all posts that are neither deleted nor replaced by an edit. */
export const ALL_POSTS = "*";

export const posts = defineTable({
  name: "posts",
  schema: postSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: {
    every: listed(() => ALL_POSTS),
    author: listed((row) => row.authorId),
    replyTo: listed((row) => row.replyTo),
    quoteOf: listed((row) => row.quoteOf),
    repostOf: listed((row) => row.repostOf),
    /** Replies by the id of the thread's first post, which is not itself in the index. */
    conversation: listed((row) => (row.conversationId === row.id ? undefined : row.conversationId)),
    /** Reposts by `<id of the reposting user>:<id of the original post>`. */
    repostBy: listed((row) =>
      row.repostOf === undefined ? undefined : `${row.authorId}:${row.repostOf}`,
    ),
    /** Later versions of an edited post, by the id of the first version. */
    versions: (row) => row.editOf,
    /** Posts by the terms that search uses. */
    term: listed(searchTermsOf),
  },
});

const likeSchema = z.strictObject({
  id: z.string(),
  /** Id that is higher for each later like; lists of likes are ordered by it. */
  seq: z.string().regex(/^\d{1,19}$/),
  userId: z.string(),
  postId: z.string(),
  at: instant,
});

export type LikeRow = z.infer<typeof likeSchema>;

/** Table of the likes of posts by users. */
export const likes = defineTable({
  name: "likes",
  schema: likeSchema,
  key: (row) => row.id,
  order: (row) => row.seq,
  indexes: {
    pair: (row) => `${row.userId}:${row.postId}`,
    post: (row) => row.postId,
    user: (row) => row.userId,
  },
});

/** Kind of the streams to which every new post is offered. */
export const NEW_POSTS = "filtered";

/** Time within which a post may be edited. Source: `edit_controls` of recorded posts. */
export const EDITABLE_MS = 60 * 60_000;

/** Maximum number of edits of a post. */
export const MAX_EDITS = 5;

/** Returns every version of a post, the oldest first. */
export function versionsOf(world: SandboxWorld, post: PostRow): PostRow[] {
  const first = posts.in(world).get(post.editOf ?? post.id) ?? post;
  return [first, ...posts.in(world).where("versions", first.id)];
}

/** Returns whether posts of this kind can be edited: all but replies, reposts and polls. */
export function isEditable(post: PostRow): boolean {
  return post.replyTo === undefined && post.repostOf === undefined && post.pollId === undefined;
}

/** Object `edit_controls` of a post in API v2. */
interface EditControls {
  readonly edits_remaining: number;
  readonly is_edit_eligible: boolean;
  /** End of the period in which the post can be edited, in ISO 8601. */
  readonly editable_until: string;
}

/** Returns until when and how often a post may still be edited. */
export function editControls(world: SandboxWorld, post: PostRow): EditControls {
  const versions = versionsOf(world, post);
  const first = versions[0] ?? post;
  return {
    edits_remaining: Math.max(0, MAX_EDITS - (versions.length - 1)),
    is_edit_eligible: isEditable(post),
    editable_until: new Date(first.at + EDITABLE_MS).toISOString(),
  };
}

/**
 * Numbers of reposts, replies, likes and quotes of a post, over all its versions. A person who likes or reposts several
 * versions counts once.
 */
export interface PostCounts {
  readonly reposts: number;
  readonly replies: number;
  readonly likes: number;
  readonly quotes: number;
}

export function metricsOf(world: SandboxWorld, post: PostRow): PostCounts {
  if (post.repostOf !== undefined) {
    const reposts = posts.in(world).count("repostOf", post.repostOf);
    return { reposts, replies: 0, likes: 0, quotes: 0 };
  }
  const [postTable, likeTable] = [posts.in(world), likes.in(world)];
  const ids = versionsOf(world, post).map(({ id }) => id);
  const sum = (countOf: (id: string) => number): number =>
    ids.reduce((total, id) => total + countOf(id), 0);
  const people = (idsOf: (id: string) => string[]): number => new Set(ids.flatMap(idsOf)).size;
  const isEdited = ids.length > 1;
  return {
    reposts: isEdited
      ? people((id) => postTable.where("repostOf", id).map(({ authorId }) => authorId))
      : postTable.count("repostOf", post.id),
    replies: sum((id) => postTable.count("replyTo", id)),
    likes: isEdited
      ? people((id) => likeTable.where("post", id).map(({ userId }) => userId))
      : likeTable.count("post", post.id),
    quotes: sum((id) => postTable.count("quoteOf", id)),
  };
}
