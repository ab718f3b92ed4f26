import { z } from "zod";
import { beginWithPost, endWithPost, type UserAndPost } from "../acting.ts";
import type { Caller, CallOptions } from "../caller.ts";
import { ANY, type Endpoints, USER } from "../endpoint.ts";
import { postList, userList } from "../lists.ts";
import type { Paged } from "../paging.ts";
import type { PostPage, UserPage } from "../reading.ts";
import type { AskPosts, AskUsers, Plain, PostOf, UserOf } from "../selection.ts";
import type { PostListParams, UserListParams } from "../window.ts";

const Reposted = z.object({ retweeted: z.boolean() });
const RepostCreated = Reposted.extend({ id: z.string().optional() });

/** Answer to a repost; `retweeted` is the wire's word in both dialects. */
export type CreatedRepost = z.infer<typeof RepostCreated>;

/** Reposts: pass on, take back, and who did. */
export interface RepostsMethods {
  /** Reposts a post. */
  create(repost: UserAndPost, options?: CallOptions): Promise<CreatedRepost>;
  /** Takes a repost back; `postId` is the post that was reposted. */
  delete(repost: UserAndPost, options?: CallOptions): Promise<{ retweeted: boolean }>;
  /** The posts that repost a post. */
  posts<const S extends PostListParams = Plain>(
    postId: string,
    params?: AskPosts<S, PostListParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** Users who reposted a post. */
  users<const S extends UserListParams = Plain>(
    postId: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
}

/** Where the methods of reposts go. */
export const REPOSTS = {
  create: { method: "POST", path: "/2/users/:id/reposts", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/reposts/:post_id", takes: USER },
  posts: { method: "GET", path: "/2/posts/:id/reposts", takes: ANY },
  users: { method: "GET", path: "/2/posts/:id/reposted_by", takes: ANY },
} as const satisfies Endpoints<RepostsMethods>;

/** The methods of reposts over a caller. */
export function reposts(caller: Caller): RepostsMethods {
  return {
    create: beginWithPost(caller, REPOSTS.create, RepostCreated),
    delete: endWithPost(caller, REPOSTS.delete, Reposted),
    posts: postList<PostListParams>(caller, REPOSTS.posts),
    users: userList(caller, REPOSTS.users),
  };
}
