import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { termsOf } from "./text/terms.ts";

/** Who may reply, as the post object spells it; absent means everyone. */
export const REPLY_SETTINGS = ["following", "mentionedUsers", "subscribers", "verified"] as const;

/** Maximum number of handles that a reply begins with. */
export const MAX_INHERITED_HANDLES = 50;

const postSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  authorId: z.string(),
  /** The text that the author typed, without inherited handles. */
  text: z.string(),
  at: instant,
  /** Users whose handles a reply begins with, since its thread names them; fixed when the post is created. */
  inheritedIds: z.array(z.string()).max(MAX_INHERITED_HANDLES).optional(),
  /** Code points of handles at the beginning of `text` that count as inherited. Version 1.1 lets authors type them. */
  typedPrefix: z.int().positive().optional(),
  replyTo: z.string().optional(),
  /** Author of the post it replies to; stays known when that post is deleted. */
  replyToUserId: z.string().optional(),
  quoteOf: z.string().optional(),
  repostOf: z.string().optional(),
  /** Author of the post it reposts. */
  repostOfUserId: z.string().optional(),
  /** First post of the thread; its own id where it starts one. */
  conversationId: z.string(),
  /** App that sent it; absent for people at their own clients. */
  appId: z.string().optional(),
  deletedAt: instant.optional(),
  /** First version, where this is a later one. */
  editOf: z.string().optional(),
  /** The next version, where this is not the latest. */
  replacedBy: z.string().optional(),
  mediaIds: z.array(z.string()).optional(),
  /** People tagged in the media. */
  taggedIds: z.array(z.string()).optional(),
  pollId: z.string().optional(),
  placeId: z.string().optional(),
  replySettings: z.enum(REPLY_SETTINGS).optional(),
  /** A reply hidden by the author of the conversation's first post. */
  hidden: z.boolean().optional(),
  /** Further fields of the post object, under their wire names. */
  extra: z.record(z.string(), z.unknown()).optional(),
});

/** A post as a compact fact; a deleted one stays, since replies to and quotes of it still render. */
export type PostRow = z.infer<typeof postSchema>;

/** Whether a post is in lists and counts: not deleted, and not replaced by an edit. */
export function isListed(post: PostRow): boolean {
  return post.deletedAt === undefined && post.replacedBy === undefined;
}

const listed =
  (read: (row: PostRow) => string | readonly string[] | undefined) =>
  (row: PostRow): string | readonly string[] | undefined =>
    isListed(row) ? read(row) : undefined;

/**
 * Words, tags and mentions of a post, and marks such as `has:media`.
 *
 * A repost is found by the author of its original, not by its words.
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

/** The value under which the index `every` has all listed posts. */
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
    /** Replies only: the first post of a thread is found by its id. */
    conversation: listed((row) => (row.conversationId === row.id ? undefined : row.conversationId)),
    /** The repost of a post by a user. */
    repostBy: listed((row) =>
      row.repostOf === undefined ? undefined : `${row.authorId}:${row.repostOf}`,
    ),
    /** Later versions by the first. */
    versions: (row) => row.editOf,
    /** Search terms. */
    term: listed(searchTermsOf),
  },
});

const likeSchema = z.strictObject({
  id: z.string(),
  /** Rises with every like; lists are ordered by it. */
  seq: z.string().regex(/^\d{1,19}$/),
  userId: z.string(),
  postId: z.string(),
  at: instant,
});

export type LikeRow = z.infer<typeof likeSchema>;

/** Who likes what. */
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

/** Name of the streams that are offered each new post. */
export const NEW_POSTS = "filtered";

/** How long a post may be edited. Source: `edit_controls` of recorded posts. */
export const EDITABLE_MS = 60 * 60_000;

/** How often a post may be edited. */
export const MAX_EDITS = 5;

/** Every version of a post, the first first. */
export function versionsOf(world: SandboxWorld, post: PostRow): PostRow[] {
  const first = posts.in(world).get(post.editOf ?? post.id) ?? post;
  return [first, ...posts.in(world).where("versions", first.id)];
}

/** Whether a post is of a kind that can be edited at all. */
export function isEditable(post: PostRow): boolean {
  return post.replyTo === undefined && post.repostOf === undefined && post.pollId === undefined;
}

/** `edit_controls` of a post, as the data interface shows them. */
interface EditControls {
  readonly edits_remaining: number;
  readonly is_edit_eligible: boolean;
  /** ISO 8601. */
  readonly editable_until: string;
}

/** Returns how long and how often a post may still be edited. */
export function editControls(world: SandboxWorld, post: PostRow): EditControls {
  const versions = versionsOf(world, post);
  const first = versions[0] ?? post;
  return {
    edits_remaining: Math.max(0, MAX_EDITS - (versions.length - 1)),
    is_edit_eligible: isEditable(post),
    editable_until: new Date(first.at + EDITABLE_MS).toISOString(),
  };
}

/** Counts of a post, over all its versions. */
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
  const sum = (index: "repostOf" | "replyTo" | "quoteOf"): number =>
    ids.reduce((total, id) => total + posts.in(world).count(index, id), 0);
  const ids = versionsOf(world, post).map(({ id }) => id);
  return {
    reposts: sum("repostOf"),
    replies: sum("replyTo"),
    likes: ids.reduce((total, id) => total + likes.in(world).count("post", id), 0),
    quotes: sum("quoteOf"),
  };
}
