import { z } from "zod";
import { postTargetUser, deleteTargetUser, type UserAndTarget } from "./act-on.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoints, USER } from "../http/endpoint.ts";
import { userList, type UserListMethod } from "../reading/lists.ts";

const Muting = z.object({ muting: z.boolean() });

/** Mutes: create, delete, list. */
export interface MutesMethods {
  /** Mutes a user. */
  create(mute: UserAndTarget, options?: CallOptions): Promise<{ muting: boolean }>;
  /** Unmutes a user. */
  delete(mute: UserAndTarget, options?: CallOptions): Promise<{ muting: boolean }>;
  /** Users that the user has muted. */
  readonly list: UserListMethod;
}

/** Endpoints of the mute methods. */
export const MUTES = {
  create: { method: "POST", path: "/2/users/:id/muting", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/muting/:target_user_id", takes: USER },
  list: { method: "GET", path: "/2/users/:id/muting", takes: USER },
} as const satisfies Endpoints<MutesMethods>;

/** Creates the methods of mutes, which send their requests through `caller`. */
export function mutes(caller: Caller): MutesMethods {
  return {
    create: postTargetUser(caller, MUTES.create, Muting),
    delete: deleteTargetUser(caller, MUTES.delete, Muting),
    list: userList(caller, MUTES.list),
  };
}
