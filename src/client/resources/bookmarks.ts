import { z } from "zod";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoints, SCOPED, USER } from "../http/endpoint.ts";
import type { PageParams, PostListParams } from "../reading/list-params.ts";
import { listQuery } from "../reading/list-params.ts";
import { postList, type PostListMethod } from "../reading/lists.ts";
import type { Paged } from "../reading/paging.ts";
import { readPages, type ResultPage } from "../reading/read.ts";
import { dataOf, hasKeys, type Shape } from "../reading/response.ts";
import type { EmptySelection } from "../reading/selection.ts";
import { deleteTargetPost, type UserAndPost } from "./act-on.ts";

const Bookmarked = z.object({ bookmarked: z.boolean() });
const Folder = z.object({ id: z.string(), name: z.string() });

/** Folder of bookmarks. */
export type BookmarkFolder = z.infer<typeof Folder>;

/** Id of a bookmarked post. */
export interface BookmarkedId {
  readonly id: string;
}

/** Bookmarks of a user, visible only to that user. */
export interface BookmarksMethods {
  /** Bookmarks a post, with `folderId` also in that folder. Bookmarking it again changes nothing. */
  create(
    bookmark: UserAndPost & { readonly folderId?: string | undefined },
    options?: CallOptions,
  ): Promise<{ bookmarked: boolean }>;
  /** Deletes a bookmark. */
  delete(bookmark: UserAndPost, options?: CallOptions): Promise<{ bookmarked: boolean }>;
  /**
   * The user's bookmarked posts, latest bookmark first. Available only for the owner of the credentials.
   *
   * @example
   * for await (const post of client.bookmarks.list("42", { postFields: ["created_at"] })) {
   *   console.log(post.created_at, post.text);
   * }
   */
  readonly list: PostListMethod;
  /** Creates a folder. @param folder.name From 1 to 25 characters. */
  createFolder(
    folder: { readonly userId: string; readonly name: string },
    options?: CallOptions,
  ): Promise<BookmarkFolder>;
  /** The user's folders, latest first. */
  folders(
    userId: string,
    params?: PageParams,
    options?: CallOptions,
  ): Paged<BookmarkFolder, ResultPage<BookmarkFolder, EmptySelection>>;
  /** Ids of the posts in a folder, latest bookmark first. */
  inFolder(
    folder: { readonly userId: string; readonly folderId: string },
    params?: PageParams,
    options?: CallOptions,
  ): Paged<BookmarkedId, ResultPage<BookmarkedId, EmptySelection>>;
}

/** Endpoints of the bookmark methods. */
export const BOOKMARKS = {
  create: { method: "POST", path: "/2/users/:id/bookmarks", takes: SCOPED },
  delete: { method: "DELETE", path: "/2/users/:id/bookmarks/:post_id", takes: SCOPED },
  list: { method: "GET", path: "/2/users/:id/bookmarks", takes: USER },
  createFolder: { method: "POST", path: "/2/users/:id/bookmarks/folders", takes: SCOPED },
  folders: { method: "GET", path: "/2/users/:id/bookmarks/folders", takes: USER },
  inFolder: { method: "GET", path: "/2/users/:id/bookmarks/folders/:folder_id", takes: USER },
} as const satisfies Endpoints<BookmarksMethods>;

const FOLDERS: Shape<BookmarkFolder> = {
  keys: ["id", "name"],
  is: (value): value is BookmarkFolder => hasKeys(value, FOLDERS.keys),
};
const IDS: Shape<BookmarkedId> = {
  keys: ["id"],
  is: (value): value is BookmarkedId => hasKeys(value, IDS.keys),
};

/** Creates the methods of bookmarks, which send their requests through `caller`. */
export function bookmarks(caller: Caller): BookmarksMethods {
  return {
    create: async ({ userId: id, postId, folderId }, options) => {
      const input = { path: { id }, json: { tweet_id: postId, folder_id: folderId } };
      return dataOf(await caller.call(BOOKMARKS.create, input, options), Bookmarked);
    },
    delete: deleteTargetPost(caller, BOOKMARKS.delete, Bookmarked),
    list: postList<PostListParams>(caller, BOOKMARKS.list),
    createFolder: async ({ userId: id, name }, options) => {
      const input = { path: { id }, json: { name } };
      return dataOf(await caller.call(BOOKMARKS.createFolder, input, options), Folder);
    },
    folders: (id, params = {}, options) =>
      readPages<BookmarkFolder, EmptySelection>(caller, {
        endpoint: BOOKMARKS.folders,
        input: { path: { id }, query: listQuery(params) },
        selection: undefined,
        shape: FOLDERS,
        options,
      }),
    inFolder: ({ userId: id, folderId }, params = {}, options) =>
      readPages<BookmarkedId, EmptySelection>(caller, {
        endpoint: BOOKMARKS.inFolder,
        input: { path: { id, folder_id: folderId }, query: listQuery(params) },
        selection: undefined,
        shape: IDS,
        options,
      }),
  };
}
