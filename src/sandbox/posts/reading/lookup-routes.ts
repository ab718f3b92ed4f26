import { readUserSelection, readPostSelection } from "../../data-query/read-selection.ts";
import { userPageDocument } from "../../rendering/user-documents.ts";
import { type UserRow, users } from "../../model/accounts.ts";
import { findReadableUser, findVisiblePost, renderContext } from "../../data-query/viewer.ts";
import { hiddenUserReason, hiddenPostReason } from "../../model/hidden-reason.ts";
import { Includes } from "../../rendering/includes.ts";
import { pageOf, type PagedList, type PageSizes } from "../../kernel/world/paging.ts";
import { Query } from "../../data-query/query.ts";
import type { RouteResponse, RouteCall, Route } from "../../server/route.ts";
import { postDocument, postListDocument, renderPosts } from "../../rendering/post-documents.ts";
import { type PostRow, posts } from "../../model/posts.ts";
import { DESCRIBED } from "../ledger.ts";
import { pagedLikes, pagedPosts } from "./paged-posts.ts";

const MAX_IDS = 100;
const KINDS = ["replies", "retweets", "reposts"] as const;
const anybody = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read"],
} as const;
const likesOnly = {
  ledger: DESCRIBED,
  auth: ["oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read", "like.read"],
  limits: { user: 75 },
} as const;

export const postLookupRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts",
    ...anybody,
    limits: { app: 3500, user: 5000 },
    readsPosts: true,
    handle: lookUpPosts,
  },
  {
    method: "GET",
    path: "/2/posts/:id",
    ...anybody,
    limits: { app: 450, user: 900 },
    readsPosts: true,
    handle: (call) => {
      const query = new Query(call);
      const id = query.pathId("id");
      const selection = readPostSelection(query);
      query.finish();
      return {
        body: postDocument(renderContext(call), findVisiblePost(call, id, "id"), selection),
      };
    },
  },
  {
    method: "GET",
    path: "/2/posts/:id/quote_posts",
    ...anybody,
    limits: { app: 75, user: 75 },
    readsPosts: true,
    handle: (call) => referringPosts(call, "quoteOf", { min: 10, max: 100, default: 10 }),
  },
  {
    method: "GET",
    path: "/2/posts/:id/reposts",
    ...anybody,
    limits: { app: 75, user: 75 },
    readsPosts: true,
    handle: (call) => referringPosts(call, "repostOf", { min: 1, max: 100, default: 100 }),
  },
  {
    method: "GET",
    path: "/2/posts/:id/reposted_by",
    ...anybody,
    limits: { app: 75, user: 75 },
    handle: (call) =>
      usersOfPost(
        call,
        (post) => {
          const lists = [{ index: "repostOf", value: post.id }] as const;
          return pagedPosts(renderContext(call), lists);
        },
        ({ authorId }) => authorId,
      ),
  },
  {
    method: "GET",
    path: "/2/posts/:id/liking_users",
    ...likesOnly,
    handle: (call) => {
      const { world } = call.sandbox;
      const seen = (id: string): boolean => hiddenUserReason(users.in(world).get(id)) === undefined;
      return usersOfPost(
        call,
        (post) => pagedLikes(renderContext(call), "post", post.id, ({ userId }) => seen(userId)),
        ({ userId }) => userId,
      );
    },
  },
  {
    method: "GET",
    path: "/2/users/:id/liked_posts",
    ...likesOnly,
    readsPosts: true,
    handle: likedPosts,
  },
];

/** Returns the visible posts as `data`, and errors for all other requested posts, both in the order of the request. */
function lookUpPosts(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const ids = query.ids("ids", MAX_IDS);
  const selection = readPostSelection(query);
  query.finish();
  const context = renderContext(call);
  const includes = new Includes(context, selection);
  const visiblePosts = ids.flatMap((id) => {
    const post = posts.in(context.world).get(id);
    const reason = hiddenPostReason(context.world, context.viewer, post);
    if (reason !== undefined) includes.addHidden(reason, "post", "ids", id);
    return reason === undefined && post !== undefined ? [post] : [];
  });
  const data = renderPosts(context, visiblePosts, selection, includes);
  return { body: { ...(data.length === 0 ? {} : { data }), ...includes.body() } };
}

/** Lists the posts that quote or repost a post. */
function referringPosts(
  call: RouteCall,
  index: "quoteOf" | "repostOf",
  sizes: PageSizes,
): RouteResponse {
  const query = new Query(call);
  const id = query.pathId("id");
  const request = query.page(sizes);
  const excluded: ReadonlySet<string> =
    index === "quoteOf" ? query.choices("exclude", KINDS) : new Set();
  const selection = readPostSelection(query);
  query.finish();
  const context = renderContext(call);
  const post = findVisiblePost(call, id, "id");
  const keep = (one: PostRow): boolean => !(excluded.has("replies") && one.replyTo !== undefined);
  const list = pagedPosts(context, [{ index, value: post.id }], {}, keep);
  return { body: postListDocument(context, pageOf(list, request), selection) };
}

/** Lists the users who reposted or liked a post. */
function usersOfPost<Item>(
  call: RouteCall,
  listOf: (post: PostRow) => PagedList<Item>,
  userId: (item: Item) => string,
): RouteResponse {
  const query = new Query(call);
  const id = query.pathId("id");
  const request = query.page({ min: 1, max: 100, default: 100 });
  const selection = readUserSelection(query);
  query.finish();
  const context = renderContext(call);
  const page = pageOf(listOf(findVisiblePost(call, id, "id")), request);
  const pageUsers: UserRow[] = page.items.flatMap(
    (item) => users.in(context.world).get(userId(item)) ?? [],
  );
  return { body: userPageDocument(context, { ...page, items: pageUsers }, selection) };
}

/** Lists the posts that a user likes, latest like first. */
function likedPosts(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const id = query.pathId("id");
  const request = query.page({ min: 5, max: 100, default: 10 });
  const selection = readPostSelection(query);
  query.finish();
  const context = renderContext(call);
  const { world, viewer } = context;
  findReadableUser(call, id);
  const list = pagedLikes(context, "user", id, ({ postId }) => {
    return hiddenPostReason(world, viewer, posts.in(world).get(postId)) === undefined;
  });
  const page = pageOf(list, request);
  const items = page.items.flatMap(({ postId }) => posts.in(world).get(postId) ?? []);
  return { body: postListDocument(context, { ...page, items }, selection) };
}
