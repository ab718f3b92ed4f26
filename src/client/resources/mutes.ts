import { z } from "zod";
import { beginWithUser, endWithUser, type UserAndTarget } from "../acting.ts";
import type { Caller, CallOptions } from "../caller.ts";
import { type Endpoints, USER } from "../endpoint.ts";
import { userList } from "../lists.ts";
import type { Paged } from "../paging.ts";
import { type UserPage } from "../reading.ts";
import type { AskUsers, Plain, UserOf } from "../selection.ts";
import { type UserListParams } from "../window.ts";

const Muting = z.object({ muting: z.boolean() });

/** Mutes: begin, end, list. */
export interface MutesMethods {
  /** Mutes a user. */
  create(mute: UserAndTarget, options?: CallOptions): Promise<{ muting: boolean }>;
  /** Unmutes a user. */
  delete(mute: UserAndTarget, options?: CallOptions): Promise<{ muting: boolean }>;
  /** Users that the user has muted. */
  list<const S extends UserListParams = Plain>(
    userId: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
}

/** Where the methods of mutes go. */
export const MUTES = {
  create: { method: "POST", path: "/2/users/:id/muting", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/muting/:target_user_id", takes: USER },
  list: { method: "GET", path: "/2/users/:id/muting", takes: USER },
} as const satisfies Endpoints<MutesMethods>;

/** The methods of mutes over a caller. */
export function mutes(caller: Caller): MutesMethods {
  return {
    create: beginWithUser(caller, MUTES.create, Muting),
    delete: endWithUser(caller, MUTES.delete, Muting),
    list: userList(caller, MUTES.list),
  };
}
