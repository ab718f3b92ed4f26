import * as z from "zod";
import { beginRelation, endRelation, follow, unfollow } from "../accounts/relationships.ts";
import { findUser, type UserRow } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { messages } from "../model/messages.ts";
import { indicate, sendMessage } from "../messages/send.ts";
import { type PostRow, posts, versionsOf } from "../model/posts.ts";
import { refuseReply } from "../posts/writing/references.ts";
import { refuseRepost } from "../posts/writing/rules.ts";
import { createPost, deleteVersions, like, repost, unchangedBy } from "../posts/writing/write.ts";
import { byApiRule, refuseEdit, refuseHidden, refuseMessage } from "./act-refusals.ts";

const id = z.union([z.string().min(1), z.int().transform(String)]);
const onPost = { post_id: id };
const onUser = { user_id: id };

/** Schema of the actions that a user can perform. */
export const actInput = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("post"),
    text: z.string().min(1).max(25_000),
    in_reply_to: id.optional(),
    quote_of: id.optional(),
  }),
  z.strictObject({
    type: z.literal("edit"),
    ...onPost,
    text: z.string().min(1).max(25_000),
  }),
  z.strictObject({ type: z.literal("repost"), ...onPost }),
  z.strictObject({ type: z.literal("delete"), ...onPost }),
  z.strictObject({ type: z.literal("like"), ...onPost }),
  z.strictObject({ type: z.literal("follow"), ...onUser }),
  z.strictObject({ type: z.literal("unfollow"), ...onUser }),
  z.strictObject({ type: z.literal("block"), ...onUser }),
  z.strictObject({ type: z.literal("unblock"), ...onUser }),
  z.strictObject({ type: z.literal("mute"), ...onUser }),
  z.strictObject({ type: z.literal("unmute"), ...onUser }),
  z.strictObject({ type: z.literal("dm"), to: id, text: z.string().min(1).max(10_000) }),
  z.strictObject({ type: z.literal("typing"), to: id }),
  z.strictObject({ type: z.literal("read"), to: id, last_event_id: id }),
]);

type ActInput = z.infer<typeof actInput>;

/**
 * Acts as a user. Blocks, protected posts, reply settings and the limits of edits apply as in the API; rate limits and
 * the check for duplicate text do not. Replies can be edited, unlike in the API.
 *
 * @returns the created post, message event or like, with its `id`. For other actions, `id` is the id of the event that
 *   followed. `pending_follow` is true if a follow waits until the other user accepts it.
 * @throws {ApiError} 400, 403 or 404 of the control interface.
 */
export function act(sandbox: Sandbox, user: UserRow, input: ActInput): Record<string, unknown> {
  switch (input.type) {
    case "post": {
      const post = createPost(sandbox, user, {
        text: input.text,
        replyTo: referredPost(sandbox, user, input.in_reply_to, "reply to"),
        quoteOf: referredPost(sandbox, user, input.quote_of, "quote"),
      });
      return { id: post.id, text: post.text };
    }
    case "edit": {
      const post = edited(sandbox, user, ownPost(sandbox, user, input.post_id), input.text);
      return { id: post.id, text: post.text };
    }
    case "repost": {
      const post = visiblePost(sandbox, user, input.post_id, "repost");
      byApiRule(user, `repost post ${post.id}`, () => refuseRepost(sandbox, user, post));
      return { id: repost(sandbox, user, post).id };
    }
    case "delete":
      return { id: deleteVersions(sandbox, ownPost(sandbox, user, input.post_id)) };
    case "like":
      return { id: like(sandbox, user, visiblePost(sandbox, user, input.post_id, "like")) };
    case "follow":
      return followed(sandbox, user, otherUser(sandbox, user, input.user_id));
    case "block":
    case "mute":
      return {
        id: beginRelation(sandbox, input.type, user, otherUser(sandbox, user, input.user_id)),
      };
    case "unfollow":
      return { id: unfollow(sandbox, user, otherUser(sandbox, user, input.user_id)) };
    case "unblock":
      return { id: endRelation(sandbox, "block", user, otherUser(sandbox, user, input.user_id)) };
    case "unmute":
      return { id: endRelation(sandbox, "mute", user, otherUser(sandbox, user, input.user_id)) };
    case "dm": {
      const to = recipientOf(sandbox, user, input.to);
      const { id, conversationId } = sendMessage(sandbox, user, to, input.text);
      return { id, dm_conversation_id: conversationId };
    }
    case "typing":
      return { id: indicate(sandbox, user, recipientOf(sandbox, user, input.to), "typing") };
    case "read": {
      const to = findUser(sandbox, input.to);
      const ref = knownMessage(sandbox, input.last_event_id);
      return { id: indicate(sandbox, user, to, "read", ref) };
    }
  }
}

function followed(sandbox: Sandbox, user: UserRow, to: UserRow): Record<string, unknown> {
  const deed = `follow @${to.username}`;
  const { id, isPending } = byApiRule(user, deed, () => follow(sandbox, user, to));
  return { id, ...(isPending ? { pending_follow: true } : {}) };
}

/** Finds a user who accepts the messages of `user`. @throws {ApiError} 403 or 404 of the control interface. */
function recipientOf(sandbox: Sandbox, user: UserRow, recipientId: string): UserRow {
  const to = findUser(sandbox, recipientId);
  refuseMessage(sandbox, user, to);
  return to;
}

function otherUser(sandbox: Sandbox, user: UserRow, otherId: string): UserRow {
  if (otherId !== user.id) return findUser(sandbox, otherId);
  throw ApiError.control(
    400,
    "invalid_request",
    "user_id: name another user than the one who acts",
  );
}

/** Finds the post that a new post answers or quotes, if any. @throws {ApiError} 403 or 404 of the control interface. */
function referredPost(
  sandbox: Sandbox,
  user: UserRow,
  postId: string | undefined,
  verb: "reply to" | "quote",
): PostRow | undefined {
  if (postId === undefined) return undefined;
  const post = visiblePost(sandbox, user, postId, verb);
  if (verb === "reply to")
    byApiRule(user, `${verb} post ${post.id}`, () => refuseReply(sandbox, user, post));
  return post;
}

/**
 * Finds a post that the user may see; for a repost, returns the original, which is liked, answered, quoted and reposted
 * instead.
 *
 * @param verb Action of the user, for error messages.
 * @throws {ApiError} 403 or 404 of the control interface.
 */
function visiblePost(sandbox: Sandbox, user: UserRow, postId: string, verb: string): PostRow {
  const post = knownPost(sandbox, postId);
  refuseHidden(sandbox, user, post.authorId, `${verb} post ${postId}`);
  return post.repostOf === undefined ? post : visiblePost(sandbox, user, post.repostOf, verb);
}

function knownPost({ world }: Sandbox, postId: string): PostRow {
  const post = posts.in(world).get(postId);
  if (post !== undefined && post.deletedAt === undefined) return post;
  throw ApiError.control(404, "unknown_post", `There is no post ${postId}.`);
}

function ownPost(sandbox: Sandbox, user: UserRow, postId: string): PostRow {
  const post = knownPost(sandbox, postId);
  if (post.authorId === user.id) return post;
  throw ApiError.control(400, "not_the_author", `Post ${postId} is not @${user.username}'s.`);
}

/** Creates a new version of a post, with a new text only; `post` may be any of its versions. */
function edited(sandbox: Sandbox, user: UserRow, post: PostRow, text: string): PostRow {
  const replaces = versionsOf(sandbox.world, post).at(-1) ?? post;
  refuseEdit(sandbox, user, replaces);
  return createPost(sandbox, user, { ...unchangedBy(sandbox, replaces), text });
}

function knownMessage({ world }: Sandbox, messageId: string): string {
  if (messages.in(world).get(messageId) !== undefined) return messageId;
  throw ApiError.control(404, "unknown_message", `There is no message event ${messageId}.`);
}
