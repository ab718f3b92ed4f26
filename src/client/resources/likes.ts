import { z } from "zod";
import { postTargetPost, deleteTargetPost, type UserAndPost } from "./act-on.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoints, USER } from "../http/endpoint.ts";
import type { PostListParams } from "../reading/list-params.ts";
import { postList, type PostListMethod, userList, type UserListMethod } from "../reading/lists.ts";

const Liked = z.object({ liked: z.boolean() });

/** Likes: create, delete, list. */
export interface LikesMethods {
  /** Likes a post. Liking again changes nothing. */
  create(like: UserAndPost, options?: CallOptions): Promise<{ liked: boolean }>;
  /** Deletes a like. */
  delete(like: UserAndPost, options?: CallOptions): Promise<{ liked: boolean }>;
  /** Posts that a user likes, latest like first. */
  readonly posts: PostListMethod;
  /** Users who like a post. */
  readonly users: UserListMethod;
}

/** Endpoints of the like methods. */
export const LIKES = {
  create: { method: "POST", path: "/2/users/:id/likes", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/likes/:post_id", takes: USER },
  posts: { method: "GET", path: "/2/users/:id/liked_posts", takes: USER },
  users: { method: "GET", path: "/2/posts/:id/liking_users", takes: USER },
} as const satisfies Endpoints<LikesMethods>;

/** Creates the methods of likes, which send their requests through `caller`. */
export function likes(caller: Caller): LikesMethods {
  return {
    create: postTargetPost(caller, LIKES.create, Liked),
    delete: deleteTargetPost(caller, LIKES.delete, Liked),
    posts: postList<PostListParams>(caller, LIKES.posts),
    users: userList(caller, LIKES.users),
  };
}
