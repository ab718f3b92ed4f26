import { z } from "zod";
import { beginWithUser, endWithUser, type UserAndTarget } from "../acting.ts";
import { dataOf } from "../answer.ts";
import type { Caller, CallOptions } from "../caller.ts";
import { type Endpoints, USER } from "../endpoint.ts";
import { userList } from "../lists.ts";
import type { Paged } from "../paging.ts";
import { type UserPage } from "../reading.ts";
import type { AskUsers, Plain, UserOf } from "../selection.ts";
import type { UserListParams } from "../window.ts";

const Blocking = z.object({ blocking: z.boolean() });
const Blocked = z.object({ blocked: z.boolean() });

/** Blocks: begin, end, list; and blocks of messages alone. */
export interface BlocksMethods {
  /** Blocks a user. The live service has left this endpoint out of its description since the end of 2024. */
  create(block: UserAndTarget, options?: CallOptions): Promise<{ blocking: boolean }>;
  /** Unblocks a user, with the same reservation. */
  delete(block: UserAndTarget, options?: CallOptions): Promise<{ blocking: boolean }>;
  /** Takes no more messages from a user. */
  createForMessages(userId: string, options?: CallOptions): Promise<{ blocked: boolean }>;
  /** Takes messages from a user again. */
  deleteForMessages(userId: string, options?: CallOptions): Promise<{ blocked: boolean }>;
  /** Users that the user has blocked. */
  list<const S extends UserListParams = Plain>(
    userId: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
}

/** Where the methods of blocks go. */
export const BLOCKS = {
  create: { method: "POST", path: "/2/users/:id/blocking", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/blocking/:target_user_id", takes: USER },
  createForMessages: { method: "POST", path: "/2/users/:id/dm/block", takes: USER },
  deleteForMessages: { method: "POST", path: "/2/users/:id/dm/unblock", takes: USER },
  list: { method: "GET", path: "/2/users/:id/blocking", takes: USER },
} as const satisfies Endpoints<BlocksMethods>;

/** The methods of blocks over a caller. */
export function blocks(caller: Caller): BlocksMethods {
  return {
    create: beginWithUser(caller, BLOCKS.create, Blocking),
    delete: endWithUser(caller, BLOCKS.delete, Blocking),
    createForMessages: async (id, options) =>
      dataOf(await caller.call(BLOCKS.createForMessages, { path: { id } }, options), Blocked),
    deleteForMessages: async (id, options) =>
      dataOf(await caller.call(BLOCKS.deleteForMessages, { path: { id } }, options), Blocked),
    list: userList(caller, BLOCKS.list),
  };
}
