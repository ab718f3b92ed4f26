import { z } from "zod";
import { beginWithUser, endWithUser, type UserAndTarget } from "../acting.ts";
import type { Caller, CallOptions } from "../caller.ts";
import { ANY, type Endpoints, USER } from "../endpoint.ts";
import { userList } from "../lists.ts";
import type { Paged } from "../paging.ts";
import { type UserPage } from "../reading.ts";
import type { AskUsers, Plain, UserOf } from "../selection.ts";
import { type UserListParams } from "../window.ts";

const Following = z.object({ following: z.boolean() });
const FollowCreated = Following.extend({ pending_follow: z.boolean().optional() });

/** Answer to a follow; `pending_follow` while a protected user has not agreed. */
export type CreatedFollow = z.infer<typeof FollowCreated>;

/** Follows: begin, end, and who follows whom. */
export interface FollowsMethods {
  /** Follows a user. */
  create(follow: UserAndTarget, options?: CallOptions): Promise<CreatedFollow>;
  /** Stops following a user. */
  delete(follow: UserAndTarget, options?: CallOptions): Promise<{ following: boolean }>;
  /** Users who follow a user. */
  followers<const S extends UserListParams = Plain>(
    userId: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
  /** Users that a user follows. */
  following<const S extends UserListParams = Plain>(
    userId: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
}

/** Where the methods of follows go. */
export const FOLLOWS = {
  create: { method: "POST", path: "/2/users/:id/following", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/following/:target_user_id", takes: USER },
  followers: { method: "GET", path: "/2/users/:id/followers", takes: ANY },
  following: { method: "GET", path: "/2/users/:id/following", takes: ANY },
} as const satisfies Endpoints<FollowsMethods>;

/** The methods of follows over a caller. */
export function follows(caller: Caller): FollowsMethods {
  return {
    create: beginWithUser(caller, FOLLOWS.create, FollowCreated),
    delete: endWithUser(caller, FOLLOWS.delete, Following),
    followers: userList(caller, FOLLOWS.followers),
    following: userList(caller, FOLLOWS.following),
  };
}
