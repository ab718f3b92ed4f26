import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { acceptsMessagesFrom, isRelated, type UserRow, users } from "../model/accounts.ts";
import { hiddenAuthorReason } from "../model/hidden-reason.ts";
import type { PostRow } from "../model/posts.ts";
import { editFault } from "../posts/writing/references.ts";

/** Refuses a message that the recipient does not accept. @throws {ApiError} 403 of the control interface. */
export function refuseMessage({ world }: Sandbox, user: UserRow, to: UserRow): void {
  // Users may write to themselves, as in version 1.1 of the API.
  if (user.id === to.id || acceptsMessagesFrom(world, user.id, to)) return;
  const [sender, recipient] = [`@${user.username}`, `@${to.username}`];
  const blocks = (kind: "block" | "dm_block", by: UserRow, other: UserRow): boolean =>
    isRelated(world, kind, by.id, other.id);
  const reason = blocks("block", to, user)
    ? `${recipient} has blocked ${sender}`
    : blocks("block", user, to)
      ? `${sender} has blocked ${recipient}`
      : blocks("dm_block", to, user)
        ? `${recipient} has blocked messages from ${sender}`
        : `${recipient} accepts no messages`;
  throw refused(`${sender} can't write to ${recipient}`, reason);
}

/**
 * Refuses an action on a post that its author hides from the user: by a block or by protection.
 *
 * @param deed Action and post, such as `like post 5`.
 * @throws {ApiError} 403 of the control interface.
 */
export function refuseHidden(
  { world }: Sandbox,
  user: UserRow,
  authorId: string,
  deed: string,
): void {
  const name = `@${user.username}`;
  const author = `@${users.in(world).get(authorId)?.username ?? authorId}`;
  switch (hiddenAuthorReason(world, user.id, authorId)) {
    case "blocked":
      throw refused(`${name} can't ${deed}`, `${author} has blocked ${name}`);
    case "protected":
      throw refused(
        `${name} can't ${deed}`,
        `the posts of ${author} are protected, and ${name} is not a follower`,
      );
    case "suspended":
      throw refused(`${name} can't ${deed}`, `${author} is suspended`);
    case "missing":
    case undefined:
      return;
  }
}

/**
 * Refuses an edit by the rules of the API, but not an edit of a reply.
 *
 * @throws {ApiError} 403 of the control interface.
 */
export function refuseEdit(sandbox: Sandbox, user: UserRow, post: PostRow): void {
  const fault = editFault(sandbox, user, post, "control");
  if (fault !== undefined) throw refused(`@${user.username} can't edit post ${post.id}`, fault);
}

/**
 * Applies a rule of the API to an action of the control interface.
 *
 * @throws {ApiError} 403 of the control interface that names the user and the action, if the rule refuses with 403.
 */
export function byApiRule<T>(user: UserRow, deed: string, rule: () => T): T {
  try {
    return rule();
  } catch (error) {
    if (!(error instanceof ApiError) || error.spec.status !== 403) throw error;
    throw refused(`@${user.username} can't ${deed}`, error.message.replace(/\.$/, ""));
  }
}

function refused(what: string, why: string): ApiError {
  return ApiError.control(403, "forbidden", `${what}: ${why}.`);
}
