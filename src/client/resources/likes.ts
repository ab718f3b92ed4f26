import { z } from "zod";
import { beginWithPost, endWithPost, type UserAndPost } from "../acting.ts";
import type { Caller, CallOptions } from "../caller.ts";
import { type Endpoints, USER } from "../endpoint.ts";
import { postList, userList } from "../lists.ts";
import type { Paged } from "../paging.ts";
import { type PostPage, type UserPage } from "../reading.ts";
import type { AskPosts, AskUsers, Plain, PostOf, UserOf } from "../selection.ts";
import { type PostListParams, type UserListParams } from "../window.ts";

const Liked = z.object({ liked: z.boolean() });

/** Likes: give, take back, and who liked what. */
export interface LikesMethods {
  /** Likes a post. Liking again changes nothing. */
  create(like: UserAndPost, options?: CallOptions): Promise<{ liked: boolean }>;
  /** Takes a like back. */
  delete(like: UserAndPost, options?: CallOptions): Promise<{ liked: boolean }>;
  /** Posts that a user likes, the latest like first. */
  posts<const S extends PostListParams = Plain>(
    userId: string,
    params?: AskPosts<S, PostListParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** Users who like a post. */
  users<const S extends UserListParams = Plain>(
    postId: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
}

/** Where the methods of likes go. */
export const LIKES = {
  create: { method: "POST", path: "/2/users/:id/likes", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/likes/:post_id", takes: USER },
  posts: { method: "GET", path: "/2/users/:id/liked_posts", takes: USER },
  users: { method: "GET", path: "/2/posts/:id/liking_users", takes: USER },
} as const satisfies Endpoints<LikesMethods>;

/** The methods of likes over a caller. */
export function likes(caller: Caller): LikesMethods {
  return {
    create: beginWithPost(caller, LIKES.create, Liked),
    delete: endWithPost(caller, LIKES.delete, Liked),
    posts: postList<PostListParams>(caller, LIKES.posts),
    users: userList(caller, LIKES.users),
  };
}
