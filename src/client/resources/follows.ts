import { z } from "zod";
import { postTargetUser, deleteTargetUser, type UserAndTarget } from "./act-on.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, type Endpoints, USER } from "../http/endpoint.ts";
import { userList, type UserListMethod } from "../reading/lists.ts";

const Following = z.object({ following: z.boolean() });
const FollowCreated = Following.extend({ pending_follow: z.boolean().optional() });

/** Response to a follow. `pending_follow` is true until a protected user approves it. */
export type CreatedFollow = z.infer<typeof FollowCreated>;

/** Follows: create, delete, list. */
export interface FollowsMethods {
  /** Follows a user. */
  create(follow: UserAndTarget, options?: CallOptions): Promise<CreatedFollow>;
  /** Stops following a user. */
  delete(follow: UserAndTarget, options?: CallOptions): Promise<{ following: boolean }>;
  /** Users who follow a user. */
  readonly followers: UserListMethod;
  /** Users that a user follows. */
  readonly following: UserListMethod;
}

/** Endpoints of the follow methods. */
export const FOLLOWS = {
  create: { method: "POST", path: "/2/users/:id/following", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/following/:target_user_id", takes: USER },
  followers: { method: "GET", path: "/2/users/:id/followers", takes: ANY },
  following: { method: "GET", path: "/2/users/:id/following", takes: ANY },
} as const satisfies Endpoints<FollowsMethods>;

/** Creates the methods of follows, which send their requests through `caller`. */
export function follows(caller: Caller): FollowsMethods {
  return {
    create: postTargetUser(caller, FOLLOWS.create, FollowCreated),
    delete: deleteTargetUser(caller, FOLLOWS.delete, Following),
    followers: userList(caller, FOLLOWS.followers),
    following: userList(caller, FOLLOWS.following),
  };
}
