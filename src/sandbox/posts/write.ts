import { type User, users } from "../accounts/entities.ts";
import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { entitiesIn } from "./entities-in-text.ts";
import { likes, type Post, posts } from "./entities.ts";

/** A post to be made. Ids of other posts must be known to exist. */
export interface Draft extends Pick<
  Post,
  "mediaIds" | "pollId" | "placeId" | "replySettings" | "extra"
> {
  readonly text: string;
  readonly replyTo?: Post | undefined;
  readonly quoteOf?: Post | undefined;
  readonly repostOf?: Post | undefined;
  /** The version that this one replaces. */
  readonly replaces?: Post | undefined;
  readonly appId?: string | undefined;
}

/** Puts a post and tells everybody it involves: author, mentioned, answered, quoted, reposted. */
export function createPost(sandbox: Sandbox, author: User, draft: Draft): Post {
  const { world } = sandbox;
  const { text, replyTo, quoteOf, repostOf, replaces, appId, ...rest } = draft;
  const id = world.ids.next();
  const post = posts.in(world).put({
    id,
    authorId: author.id,
    text,
    at: sandbox.time.now(),
    ...(replyTo === undefined ? {} : { replyTo: replyTo.id, replyToUserId: replyTo.authorId }),
    ...(quoteOf === undefined ? {} : { quoteOf: quoteOf.id }),
    ...(repostOf === undefined ? {} : { repostOf: repostOf.id, repostOfUserId: repostOf.authorId }),
    ...(replaces === undefined ? {} : { editOf: replaces.editOf ?? replaces.id }),
    conversationId: replaces?.conversationId ?? replyTo?.conversationId ?? id,
    ...(appId === undefined ? {} : { appId }),
    ...rest,
  });
  if (replaces !== undefined) posts.in(world).update(replaces.id, { replacedBy: id });
  emit(sandbox, { kind: "post", by: author.id, ref: id, involved: involvedIn(sandbox, post) });
  return post;
}

/** A repost of `original`; the standing one when there is one. */
export function repost(sandbox: Sandbox, user: User, original: Post, appId?: string): Post {
  const standing = repostOf(sandbox, user, original.id);
  if (standing !== undefined) return standing;
  const name = users.in(sandbox.world).get(original.authorId)?.username ?? "";
  return createPost(sandbox, user, {
    text: `RT @${name}: ${original.text}`,
    repostOf: original,
    appId,
  });
}

/** The repost by which a user repeats a post, where it stands. */
export function repostOf({ world }: Sandbox, user: User, originalId: string): Post | undefined {
  return posts.in(world).first("repostBy", `${user.id}:${originalId}`);
}

/** Marks a post as deleted and tells those who were told of it. Gives the event's id. */
export function deletePost(sandbox: Sandbox, post: Post): string {
  posts.in(sandbox.world).update(post.id, { deletedAt: sandbox.time.now() });
  return emit(sandbox, {
    kind: "delete",
    by: post.authorId,
    ref: post.id,
    involved: involvedIn(sandbox, post),
  });
}

/** Likes a post and tells its author and the liker; once. Gives the like's id. */
export function like(sandbox: Sandbox, user: User, post: Post): string {
  const { world } = sandbox;
  const table = likes.in(world);
  const standing = table.first("pair", `${user.id}:${post.id}`);
  if (standing !== undefined) return standing.id;
  const made = table.put({
    id: world.random.bytes(16).toString("hex"),
    seq: world.ids.next(),
    userId: user.id,
    postId: post.id,
    at: sandbox.time.now(),
  });
  emit(sandbox, { kind: "like", by: user.id, ref: post.id, involved: [user.id, post.authorId] });
  return made.id;
}

/** Takes a like back; the interface has no event for it. */
export function unlike({ world }: Sandbox, user: User, postId: string): void {
  const table = likes.in(world);
  const standing = table.first("pair", `${user.id}:${postId}`);
  if (standing !== undefined) table.delete(standing.id);
}

/** Users a post involves. Reposts of posts that mention somebody are not told to those mentioned. */
function involvedIn({ world }: Sandbox, post: Post): string[] {
  const table = posts.in(world);
  const authorOf = (id: string | undefined): string[] => {
    const author = id === undefined ? undefined : table.get(id)?.authorId;
    return author === undefined ? [] : [author];
  };
  if (post.repostOf !== undefined) return [post.authorId, ...authorOf(post.repostOf)];
  const mentioned = entitiesIn(post.text)
    .filter(({ kind }) => kind === "mention")
    .flatMap(({ word }) => users.in(world).first("username", word.toLowerCase())?.id ?? []);
  return [post.authorId, ...authorOf(post.replyTo), ...authorOf(post.quoteOf), ...mentioned];
}
