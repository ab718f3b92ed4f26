import { tied, type User } from "../accounts/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Post, posts } from "./entities.ts";
import { mentionedIn } from "./expand.ts";

/**
 * Holds a reply to the settings of the post it answers and of the one that began the conversation.
 *
 * @throws {Refusal} 403.
 */
export function refuseReply(sandbox: Sandbox, author: User, parent: Post): void {
  const root = posts.in(sandbox.world).get(parent.conversationId);
  const open = [parent, ...(root === undefined ? [] : [root])].every((post) =>
    mayReply(sandbox, author, post),
  );
  if (open) return;
  throw Refusal.forbidden(
    "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.",
    { v1: 433 },
  );
}

function mayReply({ world }: Sandbox, author: User, post: Post): boolean {
  if (post.replySettings === undefined || post.authorId === author.id) return true;
  if (mentionedIn(world, post).includes(author.id)) return true;
  switch (post.replySettings) {
    case "following":
      return tied(world, "follow", post.authorId, author.id);
    case "verified":
      return author.profile["verified"] === true;
    case "mentionedUsers":
    case "subscribers":
      return false;
  }
}
