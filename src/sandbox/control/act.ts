import * as z from "zod";
import { begin, end } from "../accounts/ties.ts";
import { findUser } from "../accounts/find.ts";
import type { User } from "../accounts/entities.ts";
import { emit } from "../activity/emit.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { messages } from "../messages/entities.ts";
import { sendMessage } from "../messages/send.ts";
import { type Post, posts } from "../posts/entities.ts";
import { createPost, deletePost, like, repost } from "../posts/write.ts";

const id = z.union([z.string().min(1), z.int().transform(String)]);
const onPost = { post_id: id };
const onUser = { user_id: id };

/** Everything a user may be told to do. */
export const actInput = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("post"),
    text: z.string().min(1).max(25_000),
    in_reply_to: id.optional(),
    quote_of: id.optional(),
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

type Act = z.infer<typeof actInput>;

/**
 * Lets a user do something, free of rate limits and the rule on duplicate text.
 *
 * @returns what was made; `id` is the post's, the message event's, or the event's.
 * @throws {Refusal} 400 or 404 of the control interface.
 */
export function act(sandbox: Sandbox, user: User, input: Act): Record<string, unknown> {
  switch (input.type) {
    case "post": {
      const post = createPost(sandbox, user, {
        text: input.text,
        replyTo: postOf(sandbox, input.in_reply_to),
        quoteOf: postOf(sandbox, input.quote_of),
      });
      return { id: post.id, text: post.text };
    }
    case "repost":
      return { id: repost(sandbox, user, knownPost(sandbox, input.post_id)).id };
    case "delete":
      return { id: deletePost(sandbox, ownPost(sandbox, user, input.post_id)) };
    case "like":
      return { id: like(sandbox, user, knownPost(sandbox, input.post_id)) };
    case "follow":
    case "block":
    case "mute":
      return { id: begin(sandbox, input.type, user, other(sandbox, user, input.user_id)) };
    case "unfollow":
      return { id: end(sandbox, "follow", user, other(sandbox, user, input.user_id)) };
    case "unblock":
      return { id: end(sandbox, "block", user, other(sandbox, user, input.user_id)) };
    case "unmute":
      return { id: end(sandbox, "mute", user, other(sandbox, user, input.user_id)) };
    case "dm": {
      const { id, conversationId } = sendMessage(
        sandbox,
        user,
        findUser(sandbox, input.to),
        input.text,
      );
      return { id, dm_conversation_id: conversationId };
    }
    case "typing":
      return { id: indicate(sandbox, user, input.to, "typing") };
    case "read":
      return {
        id: indicate(sandbox, user, input.to, "read", knownMessage(sandbox, input.last_event_id)),
      };
  }
}

/** Typing and reading are told to the other side only. */
function indicate(
  sandbox: Sandbox,
  user: User,
  toId: string,
  kind: "typing" | "read",
  ref?: string,
): string {
  const to = findUser(sandbox, toId);
  return emit(sandbox, { kind, by: user.id, to: to.id, ref, involved: [to.id] });
}

function other(sandbox: Sandbox, user: User, otherId: string): User {
  if (otherId !== user.id) return findUser(sandbox, otherId);
  throw Refusal.control(400, "invalid_request", "user_id: name another user than the one who acts");
}

function postOf(sandbox: Sandbox, postId: string | undefined): Post | undefined {
  return postId === undefined ? undefined : knownPost(sandbox, postId);
}

function knownPost({ world }: Sandbox, postId: string): Post {
  const post = posts.in(world).get(postId);
  if (post !== undefined && post.deletedAt === undefined) return post;
  throw Refusal.control(404, "unknown_post", `There is no post ${postId}.`);
}

function ownPost(sandbox: Sandbox, user: User, postId: string): Post {
  const post = knownPost(sandbox, postId);
  if (post.authorId === user.id) return post;
  throw Refusal.control(400, "not_the_author", `Post ${postId} is not @${user.username}'s.`);
}

function knownMessage({ world }: Sandbox, messageId: string): string {
  if (messages.in(world).get(messageId) !== undefined) return messageId;
  throw Refusal.control(404, "unknown_message", `There is no message event ${messageId}.`);
}
