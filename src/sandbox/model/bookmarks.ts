import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const bookmarkSchema = z.strictObject({
  /** Id that is higher for each later bookmark; lists of bookmarks are ordered by it. */
  seq: z.string().regex(/^\d{1,19}$/),
  userId: z.string(),
  postId: z.string(),
  /** Ids of the bookmark's folders. The list of all bookmarks contains bookmarks of every folder. */
  folderIds: z.array(z.string()).optional(),
  at: instant,
});

export type BookmarkRow = z.infer<typeof bookmarkSchema>;

/** Bookmarks of people, which only their owner sees. */
export const bookmarks = defineTable({
  name: "bookmarks",
  schema: bookmarkSchema,
  key: (row) => bookmarkKey(row.userId, row.postId),
  order: (row) => row.seq,
  indexes: {
    user: (row) => row.userId,
    post: (row) => row.postId,
    folder: (row) => row.folderIds,
  },
});

export function bookmarkKey(userId: string, postId: string): string {
  return `${userId}:${postId}`;
}

const folderSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  userId: z.string(),
  name: z.string(),
  at: instant,
});

export type BookmarkFolderRow = z.infer<typeof folderSchema>;

/** Folders into which people sort their bookmarks. */
export const bookmarkFolders = defineTable({
  name: "bookmark_folders",
  schema: folderSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: { user: (row) => row.userId },
});
