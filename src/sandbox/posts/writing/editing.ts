import type { UserRow } from "../../model/accounts.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { type PostRow, posts } from "../../model/posts.ts";
import { unknownValue } from "./unknown-value.ts";
import { EDITABLE_MS, isEditable, MAX_EDITS, versionsOf } from "../../model/post-versions.ts";

/** The version that an edit by `author` replaces. @throws {ApiError} 400 or 403. */
export function editedPost(sandbox: Sandbox, author: UserRow, id: string): PostRow {
  const post = posts.in(sandbox.world).get(id);
  if (post === undefined || post.deletedAt !== undefined) {
    throw unknownValue("edit_options.previous_post_id", id);
  }
  const fault = editFault(sandbox, author, post);
  if (fault === undefined) return post;
  throw ApiError.forbidden(`You are not allowed to edit the post [${id}]: ${fault}.`);
}

/** Why a post may not be edited, as the end of a sentence. */
function editFault({ world, time }: Sandbox, author: UserRow, post: PostRow): string | undefined {
  const versions = versionsOf(world, post);
  const first = versions[0] ?? post;
  if (post.authorId !== author.id) return "it is not yours";
  if (!isEditable(post)) return "replies, reposts and polls can not be edited";
  if (post.replacedBy !== undefined) {
    return `it was edited already; name its latest version, ${versions.at(-1)?.id ?? ""}`;
  }
  if (time.now() - first.at >= EDITABLE_MS) return "the time to edit it is over";
  return versions.length > MAX_EDITS ? `it was edited ${MAX_EDITS} times already` : undefined;
}
