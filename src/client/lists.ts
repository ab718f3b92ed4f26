import type { Caller, CallOptions } from "./caller.ts";
import type { Endpoint } from "./endpoint.ts";
import { readPages } from "./reading.ts";
import type { AskPosts, AskUsers, PostOf, PostSelection, UserOf } from "./selection.ts";
import { postsWith, usersWith } from "./shapes.ts";
import { type ListParams, type UserListParams, windowParams } from "./window.ts";

/** A method that lists users who stand in some way to the thing with an id. */
export function userList(caller: Caller, endpoint: Endpoint) {
  return <S extends UserListParams>(
    id: string,
    params?: AskUsers<S, UserListParams>,
    options?: CallOptions,
  ) =>
    readPages<UserOf<S>, S>(caller, {
      endpoint,
      input: { path: { id }, query: windowParams(params ?? {}) },
      selection: params,
      shape: usersWith<S>(params),
      options,
    });
}

/** A method that lists posts of the thing with an id. */
export function postList<Params extends ListParams & PostSelection>(
  caller: Caller,
  endpoint: Endpoint,
) {
  return <S extends Params>(id: string, params?: AskPosts<S, Params>, options?: CallOptions) =>
    readPages<PostOf<S>, S>(caller, {
      endpoint,
      input: { path: { id }, query: windowParams(params ?? {}) },
      selection: params,
      shape: postsWith<S>(params),
      options,
    });
}
