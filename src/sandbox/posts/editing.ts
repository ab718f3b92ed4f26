import type { User } from "../accounts/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Post, posts } from "./entities.ts";
import { unknownValue } from "./unknown.ts";
import { EDITABLE_MS, isEditable, MOST_EDITS, versionsOf } from "./versions.ts";

/** The version that an edit by `author` replaces. @throws {Refusal} 400 or 403. */
export function editedPost(sandbox: Sandbox, author: User, id: string): Post {
  const post = posts.in(sandbox.world).get(id);
  if (post === undefined || post.deletedAt !== undefined) {
    throw unknownValue("edit_options.previous_post_id", id);
  }
  const fault = editFault(sandbox, author, post);
  if (fault === undefined) return post;
  throw Refusal.forbidden(`You are not allowed to edit the post [${id}]: ${fault}.`);
}

/** Why a post may not be edited, as the end of a sentence. */
function editFault({ world, time }: Sandbox, author: User, post: Post): string | undefined {
  const versions = versionsOf(world, post);
  const first = versions[0] ?? post;
  if (post.authorId !== author.id) return "it is not yours";
  if (!isEditable(post)) return "replies, reposts and polls can not be edited";
  if (post.replacedBy !== undefined) {
    return `it was edited already; name its latest version, ${versions.at(-1)?.id ?? ""}`;
  }
  if (time.now() - first.at >= EDITABLE_MS) return "the time to edit it is over";
  return versions.length > MOST_EDITS ? `it was edited ${MOST_EDITS} times already` : undefined;
}
