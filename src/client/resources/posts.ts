import { z } from "zod";
import { dataOf } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, APP, type Endpoint, type Endpoints, USER } from "../http/endpoint.ts";
import { postList } from "../reading/lists.ts";
import type { Paged } from "../reading/paging.ts";
import {
  type PostResult,
  type PostPage,
  type PostsResult,
  readOne,
  readPages,
  readSeveral,
} from "../reading/read.ts";
import type {
  ValidPostSelection,
  EmptySelection,
  PostOf,
  PostSelection,
} from "../reading/selection.ts";
import { postsWith } from "../reading/shapes.ts";
import { RECENT_SEARCH } from "../streaming/search-gap.ts";
import { type NewPost, postBody } from "./new-post.ts";
import { type PageParams, type TimeWindow, listQuery } from "../reading/list-params.ts";

/** Response to the creation of a post. */
const Created = z.object({
  id: z.string(),
  text: z.string(),
  edit_history_post_ids: z.array(z.string()).optional(),
});

/** A newly created post. */
export type CreatedPost = z.infer<typeof Created>;

const Deleted = z.object({ deleted: z.boolean() });
const Hidden = z.object({ hidden: z.boolean() });

/** Parameters of a search for posts. */
export interface SearchParams extends TimeWindow, PageParams, PostSelection {
  /** Query in the platform's search operators, 1 to 4096 characters. Self-serve plans allow 512, `searchAll` 1024. */
  readonly query: string;
  readonly sortOrder?: "recency" | "relevancy" | undefined;
}

/** Parameters of the list of quotes. */
export interface QuotesParams extends PageParams, PostSelection {
  readonly exclude?: readonly ("replies" | "retweets")[] | undefined;
}

/** Posts: write, delete, look up, search, hide replies. */
export interface PostsMethods {
  /**
   * Publishes a post.
   *
   * @example
   * const post = await client.posts.create({ text: "Good morning." });
   * console.log(post.id);
   */
  create(post: NewPost, options?: CallOptions): Promise<CreatedPost>;
  /** Publishes a reply. Pass its text, or an object for more than text. */
  reply(
    postId: string,
    reply: string | Omit<NewPost, "replyTo">,
    options?: CallOptions,
  ): Promise<CreatedPost>;
  /** Deletes a post that belongs to the user. */
  delete(postId: string, options?: CallOptions): Promise<{ deleted: boolean }>;
  /** Returns a post. @throws PlatformError with `notFound` if it does not exist */
  get<const S extends PostSelection = EmptySelection>(
    postId: string,
    selection?: ValidPostSelection<S>,
    options?: CallOptions,
  ): Promise<PostResult<S>>;
  /** Returns up to 100 posts by id; `errors` lists those that do not exist. */
  lookup<const S extends PostSelection = EmptySelection>(
    postIds: readonly string[],
    selection?: ValidPostSelection<S>,
    options?: CallOptions,
  ): Promise<PostsResult<S>>;
  /**
   * Searches the posts of the last seven days. Results are newest first.
   *
   * @example
   * const page = await client.posts.searchRecent({
   *   query: "answerback",
   *   postFields: ["created_at"],
   *   expansions: ["author_id"],
   *   userFields: ["description"],
   * });
   * for (const post of page.data) console.log(post.created_at, post.text);
   */
  searchRecent<const S extends SearchParams>(
    search: ValidPostSelection<S, SearchParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /**
   * Searches posts of all time. Results are newest first. The default window is the last thirty days; set `startTime`
   * or `sinceId` for another window. Accepts only the app's bearer token.
   *
   * @example
   * const app = client.as({ type: "bearer", bearerToken: "…" });
   * const found = app.posts.searchAll({ query: "answerback", startTime: "2020-01-01T00:00:00Z", maxResults: 500 });
   * for await (const post of found) console.log(post.id, post.text);
   */
  searchAll<const S extends SearchParams>(
    search: ValidPostSelection<S, SearchParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** Posts that quote a post. */
  quotes<const S extends QuotesParams = EmptySelection>(
    postId: string,
    params?: ValidPostSelection<S, QuotesParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** Hides a reply in a conversation that the user started. */
  hideReply(postId: string, options?: CallOptions): Promise<{ hidden: boolean }>;
  /** Shows a hidden reply again. */
  unhideReply(postId: string, options?: CallOptions): Promise<{ hidden: boolean }>;
}

/** Endpoints of the post methods. */
export const POSTS = {
  create: { method: "POST", path: "/2/posts", takes: USER },
  reply: { method: "POST", path: "/2/posts", takes: USER },
  delete: { method: "DELETE", path: "/2/posts/:id", takes: USER },
  get: { method: "GET", path: "/2/posts/:id", takes: ANY },
  lookup: { method: "GET", path: "/2/posts", takes: ANY },
  searchRecent: RECENT_SEARCH,
  searchAll: { method: "GET", path: "/2/posts/search/all", takes: APP },
  quotes: { method: "GET", path: "/2/posts/:id/quote_posts", takes: ANY },
  hideReply: { method: "PUT", path: "/2/posts/:id/hidden", takes: USER },
  unhideReply: { method: "PUT", path: "/2/posts/:id/hidden", takes: USER },
} as const satisfies Endpoints<PostsMethods>;

/** Creates the methods of posts, which send their requests through `caller`. */
export function posts(caller: Caller): PostsMethods {
  const create = async (post: NewPost, options?: CallOptions) =>
    dataOf(await caller.call(POSTS.create, { json: postBody(post) }, options), Created);
  const hide = async (id: string, hidden: boolean, options?: CallOptions) =>
    dataOf(await caller.call(POSTS.hideReply, { path: { id }, json: { hidden } }, options), Hidden);
  return {
    create,
    reply: (postId, reply, options) =>
      create(
        { ...(typeof reply === "string" ? { text: reply } : reply), replyTo: postId },
        options,
      ),
    delete: async (id, options) =>
      dataOf(await caller.call(POSTS.delete, { path: { id } }, options), Deleted),
    get: <S extends PostSelection>(
      id: string,
      selection?: ValidPostSelection<S>,
      options?: CallOptions,
    ) => {
      const read = {
        endpoint: POSTS.get,
        input: { path: { id } },
        selection,
        shape: postsWith<S>(selection),
        options,
      };
      return readOne<PostOf<S>, S>(caller, read);
    },
    lookup: <S extends PostSelection>(
      ids: readonly string[],
      selection?: ValidPostSelection<S>,
      options?: CallOptions,
    ) => {
      const input = { query: { ids } };
      const read = {
        endpoint: POSTS.lookup,
        input,
        selection,
        shape: postsWith<S>(selection),
        options,
      };
      return readSeveral<PostOf<S>, S>(caller, read);
    },
    searchRecent: searching(caller, POSTS.searchRecent),
    searchAll: searching(caller, POSTS.searchAll),
    quotes: postList<QuotesParams>(caller, POSTS.quotes),
    hideReply: (id, options) => hide(id, true, options),
    unhideReply: (id, options) => hide(id, false, options),
  };
}

/** Returns the search method of an endpoint. */
function searching(caller: Caller, endpoint: Endpoint): PostsMethods["searchRecent"] {
  return <S extends SearchParams>(
    search: ValidPostSelection<S, SearchParams>,
    options?: CallOptions,
  ) => {
    const { query, sortOrder } = search;
    const { pagination_token: next_token, ...window } = listQuery(search);
    const input = { query: { query, sort_order: sortOrder, ...window, next_token } };
    const read = { endpoint, input, selection: search, shape: postsWith<S>(search), options };
    return readPages<PostOf<S>, S>(caller, read, "next_token");
  };
}
