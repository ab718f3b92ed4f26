import type { BotContext } from "../bots/define.ts";
import { PlatformError, UnreachableError } from "../client/errors.ts";
import type { PostSnapshot } from "../events/event.ts";

/** Time for which the first post of a post's thread is remembered, to save requests to the platform. */
const REMEMBERED = { for: "30d" };

/**
 * Returns the id of the first post of a post's conversation.
 *
 * Deliveries do not contain this id. It is remembered from earlier posts of the conversation, or else requested from
 * the platform.
 */
export async function rootOf(ctx: BotContext, post: PostSnapshot): Promise<string> {
  const { id, inReplyToPostId: parent } = post;
  // Versions of an edited post are in one thread.
  if (parent === undefined) return post.versions?.[0] ?? id;
  const root = (await knownRoot(ctx, parent)) ?? (await askedRoot(ctx, id, parent));
  await rememberRoot(ctx, id, root);
  return root;
}

async function knownRoot(ctx: BotContext, postId: string): Promise<string | undefined> {
  const root = await ctx.state.account.get(nameFor(postId));
  return typeof root === "string" ? root : undefined;
}

/** Remembers the first post of a post's thread. */
export async function rememberRoot(ctx: BotContext, postId: string, root: string): Promise<void> {
  await ctx.state.account.set(nameFor(postId), root, REMEMBERED);
}

async function askedRoot(ctx: BotContext, id: string, parent: string): Promise<string> {
  try {
    const { data } = await ctx.client.posts.get(id, { postFields: ["conversation_id"] });
    return data.conversation_id;
  } catch (error) {
    if (!(error instanceof PlatformError || error instanceof UnreachableError)) throw error;
    ctx.log("the thread of a post is not known, and taken to begin with what it answers", {
      post: id,
      reason: error.message,
    });
    return parent;
  }
}

function nameFor(postId: string): string {
  return `chat_sdk_root_${postId}`;
}
