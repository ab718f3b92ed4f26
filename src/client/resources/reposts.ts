import { z } from "zod";
import { postTargetPost, deleteTargetPost, type UserAndPost } from "./act-on.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, type Endpoints, USER } from "../http/endpoint.ts";
import { listQuery, type PostListParams } from "../reading/list-params.ts";
import type { Paged } from "../reading/paging.ts";
import { type PostPage, readPages } from "../reading/read.ts";
import type { EmptySelection, PostOf, ValidPostSelection } from "../reading/selection.ts";
import { postsWith } from "../reading/shapes.ts";
import { postList, type PostListMethod, userList, type UserListMethod } from "../reading/lists.ts";

const Reposted = z.object({ retweeted: z.boolean() });
const RepostCreated = Reposted.extend({ id: z.string().optional() });

/** Response to a repost; `retweeted` is the API's word in both dialects. */
export type CreatedRepost = z.infer<typeof RepostCreated>;

/** Reposts: create, delete, list. */
export interface RepostsMethods {
  /** Reposts a post. */
  create(repost: UserAndPost, options?: CallOptions): Promise<CreatedRepost>;
  /** Deletes a repost; `postId` is the post that was reposted. */
  delete(repost: UserAndPost, options?: CallOptions): Promise<{ retweeted: boolean }>;
  /** Posts that repost a post. */
  readonly posts: PostListMethod;
  /** Users who reposted a post. */
  readonly users: UserListMethod;
  /** The user's own posts that others have reposted, newest first. */
  ofMe<const S extends PostListParams = EmptySelection>(
    params?: ValidPostSelection<S, PostListParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
}

/** Endpoints of the repost methods. */
export const REPOSTS = {
  create: { method: "POST", path: "/2/users/:id/reposts", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/reposts/:post_id", takes: USER },
  posts: { method: "GET", path: "/2/posts/:id/reposts", takes: ANY },
  users: { method: "GET", path: "/2/posts/:id/reposted_by", takes: ANY },
  ofMe: { method: "GET", path: "/2/users/reposts_of_me", takes: USER },
} as const satisfies Endpoints<RepostsMethods>;

/** Creates the methods of reposts, which send their requests through `caller`. */
export function reposts(caller: Caller): RepostsMethods {
  return {
    create: postTargetPost(caller, REPOSTS.create, RepostCreated),
    delete: deleteTargetPost(caller, REPOSTS.delete, Reposted),
    posts: postList<PostListParams>(caller, REPOSTS.posts),
    users: userList(caller, REPOSTS.users),
    ofMe: <S extends PostListParams>(
      params?: ValidPostSelection<S, PostListParams>,
      options?: CallOptions,
    ) =>
      readPages<PostOf<S>, S>(caller, {
        endpoint: REPOSTS.ofMe,
        input: { query: listQuery(params ?? {}) },
        selection: params,
        shape: postsWith<S>(params),
        options,
      }),
  };
}
