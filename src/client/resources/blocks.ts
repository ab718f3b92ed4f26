import type { Caller, CallOptions } from "../caller.ts";
import { type Endpoints, USER } from "../endpoint.ts";
import { userList } from "../lists.ts";
import type { Paged } from "../paging.ts";
import { type UserPage } from "../reading.ts";
import type { AskUsers, Plain, UserOf } from "../selection.ts";
import { type UserListParams } from "../window.ts";

/** Blocks: the list only; the platform has no endpoint that blocks. */
export interface BlocksMethods {
  /** Users that the user has blocked. */
  list<const S extends UserListParams = Plain>(
    userId: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
}

/** Where the methods of blocks go. */
export const BLOCKS = {
  list: { method: "GET", path: "/2/users/:id/blocking", takes: USER },
} as const satisfies Endpoints<BlocksMethods>;

/** The methods of blocks over a caller. */
export function blocks(caller: Caller): BlocksMethods {
  return {
    list: userList(caller, BLOCKS.list),
  };
}
