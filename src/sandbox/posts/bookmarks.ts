import type { UserRow } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type PostRow, posts } from "../model/posts.ts";
import {
  type BookmarkFolderRow,
  bookmarkFolders,
  bookmarkKey,
  bookmarks,
} from "../model/bookmarks.ts";

/** Bookmarks a post for a user unless the bookmark exists, and puts the bookmark into `folder` if it is passed. */
export function bookmark(
  { world, time }: Sandbox,
  user: UserRow,
  { id: postId }: PostRow,
  folder?: BookmarkFolderRow,
): void {
  const table = bookmarks.in(world);
  const existing = table.get(bookmarkKey(user.id, postId));
  const folderIds = new Set(existing?.folderIds);
  if (folder !== undefined) folderIds.add(folder.id);
  table.put({
    seq: existing?.seq ?? world.ids.next(),
    userId: user.id,
    postId,
    ...(folderIds.size === 0 ? {} : { folderIds: [...folderIds] }),
    at: existing?.at ?? time.now(),
  });
}

export function removeBookmark({ world }: Sandbox, user: UserRow, postId: string): void {
  const originalId = posts.in(world).get(postId)?.repostOf ?? postId;
  bookmarks.in(world).delete(bookmarkKey(user.id, originalId));
}

export function createFolder(
  { world, time }: Sandbox,
  user: UserRow,
  name: string,
): BookmarkFolderRow {
  return bookmarkFolders
    .in(world)
    .put({ id: world.ids.next(), userId: user.id, name, at: time.now() });
}

/** Finds a folder of the user. @throws {ApiError} 404. */
export function findFolder({ world }: Sandbox, user: UserRow, id: string): BookmarkFolderRow {
  const folder = bookmarkFolders.in(world).get(id);
  if (folder?.userId === user.id) return folder;
  throw ApiError.notFound("bookmark_folder", "folder_id", id);
}
