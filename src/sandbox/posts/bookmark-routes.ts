import * as z from "zod";
import { requireSelf, renderContext, findOriginalPost } from "../data-query/viewer.ts";
import { idInput } from "../kernel/http/id-input.ts";
import {
  type ListPage,
  metaOf,
  pageOf,
  type PageRequest,
  type PagedList,
} from "../kernel/world/paging.ts";
import { Query } from "../data-query/query.ts";
import { type RenderContext } from "../rendering/render-context.ts";
import { jsonInput, sentKeys } from "../server/input.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { type PostRow, posts } from "../model/posts.ts";
import { hiddenPostReason } from "../model/hidden-reason.ts";
import { postListDocument } from "../rendering/post-documents.ts";
import { readPostSelection } from "../data-query/read-selection.ts";
import {
  type BookmarkFolderRow,
  bookmarkFolders,
  type BookmarkRow,
  bookmarks,
} from "../model/bookmarks.ts";
import { DESCRIBED } from "./ledger.ts";
import { bookmark, createFolder, findFolder, removeBookmark } from "./bookmarks.ts";

const SIZES = { min: 1, max: 100, default: 100 };

const bookmarkInput = z.strictObject({ post_id: idInput, folder_id: idInput.optional() });
const folderInput = z.strictObject({ name: z.string().min(1).max(25) });

const reading = {
  ledger: DESCRIBED,
  auth: ["oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read", "bookmark.read"],
  limits: { user: 180 },
} as const;

/** Properties of routes that change bookmarks. OAuth 1.0a is not accepted: only OAuth 2.0 has a scope for it. */
const writing = {
  ledger: DESCRIBED,
  auth: ["oauth2"],
  scopes: ["tweet.read", "users.read", "bookmark.write"],
  limits: { user: 50 },
} as const;

export const bookmarkRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/:id/bookmarks",
    ...reading,
    readsPosts: true,
    handle: (call) => {
      const query = new Query(call);
      query.pathId("id");
      const request = query.page(SIZES);
      const selection = readPostSelection(query);
      query.finish();
      const context = renderContext(call);
      const page = bookmarkedPosts(context, "user", requireSelf(call).id, request);
      return { body: postListDocument(context, page, selection) };
    },
  },
  {
    method: "POST",
    path: "/2/users/:id/bookmarks",
    ...writing,
    handle: (call) => {
      const user = requireSelf(call);
      const { post_id: postId, folder_id: folderId } = jsonInput(call, bookmarkInput);
      const folder = folderId === undefined ? undefined : findFolder(call.sandbox, user, folderId);
      bookmark(
        call.sandbox,
        user,
        findOriginalPost(call, postId, sentKeys(call, ["post_id"]).join(".")),
        folder,
      );
      return { body: { data: { bookmarked: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/users/:id/bookmarks/:post_id",
    ...writing,
    handle: (call) => {
      removeBookmark(call.sandbox, requireSelf(call), call.params["post_id"] ?? "");
      return { body: { data: { bookmarked: false } } };
    },
  },
  {
    method: "GET",
    path: "/2/users/:id/bookmarks/folders",
    ...reading,
    scopes: ["users.read", "bookmark.read"],
    limits: { user: 50 },
    handle: foldersOf,
  },
  {
    method: "POST",
    path: "/2/users/:id/bookmarks/folders",
    ...writing,
    scopes: ["users.read", "bookmark.write"],
    handle: (call) => {
      const user = requireSelf(call);
      const { id, name } = createFolder(call.sandbox, user, jsonInput(call, folderInput).name);
      return { status: 201, body: { data: { id, name } } };
    },
  },
  {
    method: "GET",
    path: "/2/users/:id/bookmarks/folders/:folder_id",
    ...reading,
    limits: { user: 50 },
    handle: postsInFolder,
  },
];

/** Lists the folders of the caller, the latest first. */
function foldersOf(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.pathId("id");
  const request = query.page(SIZES);
  query.finish();
  const user = requireSelf(call);
  const table = bookmarkFolders.in(call.sandbox.world);
  const list: PagedList<BookmarkFolderRow> = {
    descending: (below) => table.descending("user", user.id, below),
    ascending: (above) => table.ascending("user", user.id, above),
    orderOf: ({ id }) => id,
  };
  const page = pageOf(list, request);
  const data = page.items.map(({ id, name }) => ({ id, name }));
  return { body: { ...(data.length === 0 ? {} : { data }), meta: metaOf(page) } };
}

/** Lists the ids of the posts in a folder. */
function postsInFolder(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.pathId("id");
  const folderId = query.pathId("folder_id");
  const request = query.page(SIZES);
  query.finish();
  const folder = findFolder(call.sandbox, requireSelf(call), folderId);
  const page = bookmarkedPosts(renderContext(call), "folder", folder.id, request);
  const data = page.items.map(({ id }) => ({ id }));
  return { body: { ...(data.length === 0 ? {} : { data }), meta: metaOf(page) } };
}

/** Returns a page of the bookmarked posts that are still visible, the latest bookmark first. */
function bookmarkedPosts(
  { world, viewer }: RenderContext,
  index: "user" | "folder",
  value: string,
  request: PageRequest,
): ListPage<PostRow> {
  const table = bookmarks.in(world);
  const list: PagedList<BookmarkRow> = {
    descending: (below) => table.descending(index, value, below),
    ascending: (above) => table.ascending(index, value, above),
    orderOf: ({ seq }) => seq,
    keep: ({ postId }) =>
      hiddenPostReason(world, viewer, posts.in(world).get(postId)) === undefined,
  };
  const page = pageOf(list, request);
  return { ...page, items: page.items.flatMap(({ postId }) => posts.in(world).get(postId) ?? []) };
}
