import { hiddenPostReason } from "../../model/hidden-reason.ts";
import { type UserRow, isRelated } from "../../model/accounts.ts";
import { type AppRow, planOf } from "../../model/apps.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import {
  type PostRow,
  posts,
  EDITABLE_MS,
  isEditable,
  MAX_EDITS,
  versionsOf,
} from "../../model/posts.ts";
import { mentionedIn } from "../../model/text/mentions.ts";

/** Finds the version of a post that an edit by `author` replaces. @throws {ApiError} 400 or 403. */
export function editedPost(sandbox: Sandbox, author: UserRow, id: string): PostRow {
  const post = posts.in(sandbox.world).get(id);
  if (post === undefined || post.deletedAt !== undefined) {
    throw unknownValue("edit_options.previous_post_id", id);
  }
  const fault = editFault(sandbox, author, post);
  if (fault === undefined) return post;
  throw ApiError.forbidden(`You are not allowed to edit the post [${id}]: ${fault}.`);
}

/**
 * Returns why a post may not be edited, as the end of a sentence; `undefined` if it may.
 *
 * @param via `control`: an edit by the control interface, which can edit replies too.
 */
export function editFault(
  { world, time }: Sandbox,
  author: UserRow,
  post: PostRow,
  via: "api" | "control" = "api",
): string | undefined {
  const versions = versionsOf(world, post);
  const first = versions[0] ?? post;
  if (post.authorId !== author.id) return "it is not yours";
  if (via === "api" && !isEditable(post)) return "replies, reposts and polls can not be edited";
  if (post.repostOf !== undefined || post.pollId !== undefined) {
    return "reposts and polls can not be edited";
  }
  if (post.replacedBy !== undefined) {
    return `it was edited already; name its latest version, ${versions.at(-1)?.id ?? ""}`;
  }
  if (time.now() - first.at >= EDITABLE_MS) return "the time to edit it is over";
  return versions.length > MAX_EDITS ? `it was edited ${MAX_EDITS} times already` : undefined;
}

/**
 * Checks the reply settings of the answered post and of the first post of the conversation, in their latest versions.
 *
 * @throws {ApiError} 403 if the settings do not allow `author` to reply.
 */
export function refuseReply(sandbox: Sandbox, author: UserRow, parent: PostRow): void {
  const { world } = sandbox;
  const root = posts.in(world).get(parent.conversationId) ?? parent;
  const allowed = [parent, root].every((post) =>
    mayReply(sandbox, author, versionsOf(world, post).at(-1) ?? post),
  );
  if (allowed) return;
  throw ApiError.forbidden(
    "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.",
    { v1: 433 },
  );
}

function mayReply({ world }: Sandbox, author: UserRow, post: PostRow): boolean {
  if (post.replySettings === undefined || post.authorId === author.id) return true;
  if (mentionedIn(world, post).includes(author.id)) return true;
  switch (post.replySettings) {
    case "following":
      return isRelated(world, "follow", post.authorId, author.id);
    case "verified":
      return author.profile["verified"] === true;
    case "mentionedUsers":
    case "subscribers":
      return false;
  }
}

/**
 * Refuses answers to and quotes of posts that do not involve the account. On plans other than the enterprise plan, the
 * account must be the author of the post, or the post must mention or quote the account.
 *
 * @throws {ApiError} 403.
 */
export function refuseForeign(sandbox: Sandbox, app: AppRow, author: UserRow, post: PostRow): void {
  const { world } = sandbox;
  if (!isSelfServe(sandbox, app)) return;
  const authors = [post.authorId, posts.in(world).get(post.quoteOf ?? "")?.authorId];
  if (authors.includes(author.id) || mentionedIn(world, post).includes(author.id)) return;
  throw ApiError.forbidden(
    "You can only reply to or quote posts where you are mentioned or are the author.",
    { title: "Authorization Error", problem: "not-authorized-for-resource" },
  );
}

/** Returns whether the rules for plans other than the enterprise plan apply to the posts of an app. */
export function isSelfServe(sandbox: Sandbox, app: AppRow): boolean {
  // Apps without a project use version 1.1, which has no such rules.
  return app.projectId !== "" && planOf(sandbox, app) !== "enterprise";
}

/** Finds a post that a new post answers or quotes; for a repost, returns the original. @throws {ApiError} 400 or 403. */
export function referenced(
  { world }: Sandbox,
  author: UserRow,
  id: string | undefined,
  as: "reply" | "quote",
): PostRow | undefined {
  if (id === undefined) return undefined;
  const post = posts.in(world).get(id);
  const reason = hiddenPostReason(world, author.id, post);
  if (reason === undefined && post !== undefined) {
    return post.repostOf === undefined ? post : posts.in(world).get(post.repostOf);
  }
  if (post !== undefined && isRelated(world, "block", post.authorId, author.id)) {
    throw ApiError.forbidden("You have been blocked from the author of this tweet.", { v1: 136 });
  }
  if (as === "reply") {
    const message = "You attempted to reply to a Tweet that is deleted or not visible to you.";
    throw ApiError.forbidden(message, { v1: 385 });
  }
  if (reason === "protected")
    throw ApiError.forbidden("You are not permitted to perform this action.");
  throw unknownValue("quote_tweet_id", id);
}

/** Creates the error for a parameter whose value is not the id of an existing object. */
export function unknownValue(name: string, value: string): ApiError {
  return ApiError.parameter(
    name,
    value,
    `The \`${name}\` value [${value}] names nothing that you can see.`,
  );
}
