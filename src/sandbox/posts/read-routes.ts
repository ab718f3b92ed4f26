import { readUserSelection, userPageDocument } from "../accounts/document.ts";
import { type User, users } from "../accounts/entities.ts";
import { openUser } from "../accounts/seen.ts";
import { unseenUser } from "../accounts/visible.ts";
import { Includes } from "../fields/includes.ts";
import { pageOf, type Source } from "../fields/paging.ts";
import { Query } from "../fields/query.ts";
import { readerOf } from "../fields/reader.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { pageDocument, postDocument, readPostSelection, showPosts } from "./document.ts";
import { type Post, posts } from "./entities.ts";
import { seenPost } from "./find.ts";
import { likeSource, postSource } from "./sources.ts";
import { unseenPost } from "./visible.ts";

const MOST_IDS = 100;
const KINDS = ["replies", "retweets", "reposts"] as const;
const anybody = {
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read"],
} as const;
const likesOnly = {
  auth: ["oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read", "like.read"],
  limits: { user: 75 },
} as const;

export const readRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts",
    ...anybody,
    limits: { app: 3500, user: 5000 },
    handle: lookup,
  },
  {
    method: "GET",
    path: "/2/posts/:id",
    ...anybody,
    limits: { app: 450, user: 900 },
    handle: (call) => {
      const query = new Query(call);
      const id = query.pathId("id");
      const selection = readPostSelection(query);
      query.done();
      return { body: postDocument(readerOf(call), seenPost(call, id, "id"), selection) };
    },
  },
  {
    method: "GET",
    path: "/2/posts/:id/quote_posts",
    ...anybody,
    limits: { app: 75, user: 75 },
    handle: (call) => around(call, "quoteOf", { min: 10, max: 100 }, 10),
  },
  {
    method: "GET",
    path: "/2/posts/:id/reposts",
    ...anybody,
    limits: { app: 75, user: 75 },
    handle: (call) => around(call, "repostOf", { min: 1, max: 100 }, 100),
  },
  {
    method: "GET",
    path: "/2/posts/:id/reposted_by",
    ...anybody,
    limits: { app: 75, user: 75 },
    handle: (call) =>
      people(
        call,
        (post) => {
          const lists = [{ index: "repostOf", value: post.id }] as const;
          return postSource(readerOf(call), lists);
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
      const seen = (id: string): boolean => unseenUser(users.in(world).get(id)) === undefined;
      return people(
        call,
        (post) => likeSource(readerOf(call), "post", post.id, ({ userId }) => seen(userId)),
        ({ userId }) => userId,
      );
    },
  },
  { method: "GET", path: "/2/users/:id/liked_posts", ...likesOnly, handle: liked },
];

/** Those found as `data`, those not as `errors`, both in the order asked for. */
function lookup(call: Call): Answer {
  const query = new Query(call);
  const ids = query.ids("ids", MOST_IDS);
  const selection = readPostSelection(query);
  query.done();
  const reader = readerOf(call);
  const includes = new Includes(reader, selection);
  const found = ids.flatMap((id) => {
    const post = posts.in(reader.world).get(id);
    const why = unseenPost(reader.world, reader.viewer, post);
    if (why !== undefined) includes.problem(why, "post", "ids", id);
    return why === undefined && post !== undefined ? [post] : [];
  });
  const data = showPosts(reader, found, selection, includes);
  return { body: { ...(data.length === 0 ? {} : { data }), ...includes.body() } };
}

/** Posts that quote or repeat a post. */
function around(
  call: Call,
  index: "quoteOf" | "repostOf",
  sizes: { min: number; max: number },
  usual: number,
): Answer {
  const query = new Query(call);
  const id = query.pathId("id");
  const size = query.integer("max_results", sizes) ?? usual;
  const place = query.token("pagination_token");
  const excluded: ReadonlySet<string> =
    index === "quoteOf" ? query.choices("exclude", KINDS) : new Set();
  const selection = readPostSelection(query);
  query.done();
  const reader = readerOf(call);
  const post = seenPost(call, id, "id");
  const keep = (one: Post): boolean => !(excluded.has("replies") && one.replyTo !== undefined);
  const source = postSource(reader, [{ index, value: post.id }], {}, keep);
  return { body: pageDocument(reader, pageOf(source, size, place), selection) };
}

/** Users who did something with a post. */
function people<Item>(
  call: Call,
  sourceOf: (post: Post) => Source<Item>,
  userId: (item: Item) => string,
): Answer {
  const query = new Query(call);
  const id = query.pathId("id");
  const size = query.integer("max_results", { min: 1, max: 100 }) ?? 100;
  const place = query.token("pagination_token");
  const selection = readUserSelection(query);
  query.done();
  const reader = readerOf(call);
  const page = pageOf(sourceOf(seenPost(call, id, "id")), size, place);
  const found: User[] = page.items.flatMap(
    (item) => users.in(reader.world).get(userId(item)) ?? [],
  );
  return { body: userPageDocument(reader, { ...page, items: found }, selection) };
}

/** Posts that a user likes, the latest like first. */
function liked(call: Call): Answer {
  const query = new Query(call);
  const id = query.pathId("id");
  const size = query.integer("max_results", { min: 5, max: 100 }) ?? 10;
  const place = query.token("pagination_token");
  const selection = readPostSelection(query);
  query.done();
  const reader = readerOf(call);
  const { world, viewer } = reader;
  openUser(call, id);
  const source = likeSource(reader, "user", id, ({ postId }) => {
    return unseenPost(world, viewer, posts.in(world).get(postId)) === undefined;
  });
  const page = pageOf(source, size, place);
  const items = page.items.flatMap(({ postId }) => posts.in(world).get(postId) ?? []);
  return { body: pageDocument(reader, { ...page, items }, selection) };
}
