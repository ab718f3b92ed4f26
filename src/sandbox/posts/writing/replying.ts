import { isRelated, type UserRow } from "../../model/accounts.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { type PostRow, posts } from "../../model/posts.ts";
import { mentionedIn } from "../../model/text/mentions.ts";

/**
 * Checks the reply settings of the post that is answered and of the first post of the conversation.
 *
 * @throws {ApiError} 403.
 */
export function refuseReply(sandbox: Sandbox, author: UserRow, parent: PostRow): void {
  const root = posts.in(sandbox.world).get(parent.conversationId);
  const allowed = [parent, ...(root === undefined ? [] : [root])].every((post) =>
    mayReply(sandbox, author, post),
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
