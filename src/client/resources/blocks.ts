import { z } from "zod";
import { postTargetUser, deleteTargetUser, type UserAndTarget } from "./act-on.ts";
import { dataOf } from "../reading/response.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoints, USER } from "../http/endpoint.ts";
import { userList, type UserListMethod } from "../reading/lists.ts";

const Blocking = z.object({ blocking: z.boolean() });
const Blocked = z.object({ blocked: z.boolean() });

/** Blocks: create, delete, list; and blocks for messages only. */
export interface BlocksMethods {
  /** Blocks a user. The live service has omitted this endpoint from its documentation since the end of 2024. */
  create(block: UserAndTarget, options?: CallOptions): Promise<{ blocking: boolean }>;
  /** Unblocks a user. The live service has omitted this endpoint from its documentation too. */
  delete(block: UserAndTarget, options?: CallOptions): Promise<{ blocking: boolean }>;
  /** Blocks messages from a user. */
  createForMessages(userId: string, options?: CallOptions): Promise<{ blocked: boolean }>;
  /** Unblocks messages from a user. */
  deleteForMessages(userId: string, options?: CallOptions): Promise<{ blocked: boolean }>;
  /** Users that the user has blocked. */
  readonly list: UserListMethod;
}

/** Endpoints of the block methods. */
export const BLOCKS = {
  create: { method: "POST", path: "/2/users/:id/blocking", takes: USER },
  delete: { method: "DELETE", path: "/2/users/:id/blocking/:target_user_id", takes: USER },
  createForMessages: { method: "POST", path: "/2/users/:id/dm/block", takes: USER },
  deleteForMessages: { method: "POST", path: "/2/users/:id/dm/unblock", takes: USER },
  list: { method: "GET", path: "/2/users/:id/blocking", takes: USER },
} as const satisfies Endpoints<BlocksMethods>;

/** Creates the methods of blocks, which send their requests through `caller`. */
export function blocks(caller: Caller): BlocksMethods {
  return {
    create: postTargetUser(caller, BLOCKS.create, Blocking),
    delete: deleteTargetUser(caller, BLOCKS.delete, Blocking),
    createForMessages: async (id, options) =>
      dataOf(await caller.call(BLOCKS.createForMessages, { path: { id } }, options), Blocked),
    deleteForMessages: async (id, options) =>
      dataOf(await caller.call(BLOCKS.deleteForMessages, { path: { id } }, options), Blocked),
    list: userList(caller, BLOCKS.list),
  };
}
