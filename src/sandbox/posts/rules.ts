import * as z from "zod";
import { POST_LENGTH } from "../../interface/limits.ts";
import type { User } from "../accounts/entities.ts";
import type { App } from "../apps/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { entitiesIn } from "./entities-in-text.ts";
import { type Post, posts } from "./entities.ts";
import { createPost, deletePost } from "./write.ts";

/** The body of a new post that the sandbox understands, in the post dialect. */
export const postInput = z.looseObject({
  text: z.string().optional(),
  quote_post_id: z.string().optional(),
  reply: z.looseObject({ in_reply_to_post_id: z.string() }).optional(),
});

/** The same text by the same user within this time is a duplicate. */
const DUPLICATE_MS = 24 * 60 * 60_000;

/** A link counts as many letters, however long it is. */
const LINK_LENGTH = 23;

/** A post that stands. @throws {Refusal} 404. */
export function findPost({ world }: Sandbox, id: string, parameter = "id"): Post {
  const post = posts.in(world).get(id);
  if (post !== undefined && post.deletedAt === undefined) return post;
  throw Refusal.notFound("tweet", parameter, id);
}

/** @throws {Refusal} 400 or 403 where the post may not be made. */
export function publish(
  sandbox: Sandbox,
  app: App,
  author: User,
  input: z.infer<typeof postInput>,
): Post {
  const text = input.text ?? "";
  if (text.trim() === "" && input["media"] === undefined && input["poll"] === undefined) {
    throw Refusal.invalid([{ message: "Write a `text`, or add media or a poll." }]);
  }
  const premium = isPremium(author.profile["subscription_type"]);
  if (!premium && weight(text) > POST_LENGTH) {
    throw Refusal.forbidden(`The text is longer than ${POST_LENGTH} characters.`, { v1: 186 });
  }
  refuseDuplicate(sandbox, author, text, input.reply?.in_reply_to_post_id);
  return createPost(sandbox, author, {
    text,
    replyTo: referenced(sandbox, input.reply?.in_reply_to_post_id, "reply.in_reply_to_tweet_id"),
    quoteOf: referenced(sandbox, input.quote_post_id, "quote_tweet_id"),
    appId: app.id,
  });
}

/** Deletes one's own post. @throws {Refusal} 403 where it is somebody else's, 404 where there is none. */
export function unpublish(sandbox: Sandbox, user: User, id: string): void {
  const post = findPost(sandbox, id);
  if (post.authorId !== user.id)
    throw Refusal.forbidden("You are not authorized to delete this Tweet.", { v1: 183 });
  deletePost(sandbox, post);
}

/** Letters of a text as the platform counts them: links have one length. */
export function weight(text: string): number {
  const links = entitiesIn(text).filter(({ kind }) => kind === "url");
  return links.reduce(
    (sum, { start, end }) => sum - (end - start) + LINK_LENGTH,
    Array.from(text).length,
  );
}

function referenced({ world }: Sandbox, id: string | undefined, name: string): Post | undefined {
  if (id === undefined) return undefined;
  const post = posts.in(world).get(id);
  if (post !== undefined && post.deletedAt === undefined) return post;
  throw Refusal.parameter(
    name,
    id,
    `The \`${name}\` value [${id}] is not a post that you can see.`,
  );
}

function refuseDuplicate(
  sandbox: Sandbox,
  author: User,
  text: string,
  replyTo: string | undefined,
): void {
  const since = sandbox.time.now() - DUPLICATE_MS;
  const recent = posts.in(sandbox.world).where("author", author.id).slice(-50);
  const same = recent.some(
    (post) =>
      post.text === text &&
      post.deletedAt === undefined &&
      post.at > since &&
      post.replyTo === replyTo,
  );
  if (!same) return;
  throw Refusal.forbidden("You are not allowed to create a Tweet with duplicate content.", {
    v1: 187,
  });
}

function isPremium(subscription: unknown): boolean {
  return subscription === "Premium" || subscription === "PremiumPlus";
}
