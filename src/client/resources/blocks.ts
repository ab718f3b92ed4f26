import type { Caller, CallOptions } from "../caller.ts";
import { type Endpoints, USER } from "../endpoint.ts";
import type { Paged } from "../paging.ts";
import { readPages, type UserPage } from "../reading.ts";
import type { AskUsers, Plain, UserOf } from "../selection.ts";
import { usersWith } from "../shapes.ts";
import { type UserListParams, windowParams } from "../window.ts";

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
    list: <S extends UserListParams>(
      id: string,
      params?: AskUsers<S, UserListParams>,
      options?: CallOptions,
    ) => {
      const input = { path: { id }, query: windowParams(params ?? {}) };
      const read = {
        endpoint: BLOCKS.list,
        input,
        selection: params,
        shape: usersWith<S>(params),
        options,
      };
      return readPages<UserOf<S>, S>(caller, read);
    },
  };
}
