import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { Paged } from "./paging.ts";
import { type PostPage, readPages, type UserPage } from "./read.ts";
import type {
  EmptySelection,
  ValidPostSelection,
  ValidUserSelection,
  PostOf,
  PostSelection,
  UserOf,
} from "./selection.ts";
import { postsWith, usersWith } from "./shapes.ts";
import {
  type ListParams,
  listQuery,
  type PostListParams,
  type UserListParams,
} from "./list-params.ts";

/**
 * A method that lists users related to a user or a post. `id` is the id of that user or post.
 *
 * @throws PlatformError if the user or post does not exist.
 */
export type UserListMethod = <const S extends UserListParams = EmptySelection>(
  id: string,
  params?: ValidUserSelection<S, UserListParams>,
  options?: CallOptions,
) => Paged<UserOf<S>, UserPage<S>>;

/**
 * A method that lists posts related to a user or a post. `id` is the id of that user or post.
 *
 * @throws PlatformError if the user or post does not exist.
 */
export type PostListMethod = <const S extends PostListParams = EmptySelection>(
  id: string,
  params?: ValidPostSelection<S, PostListParams>,
  options?: CallOptions,
) => Paged<PostOf<S>, PostPage<S>>;

/** Creates a method that lists users, such as `followers`, from an endpoint with an id in its path. */
export function userList(caller: Caller, endpoint: Endpoint): UserListMethod {
  return <S extends UserListParams>(
    id: string,
    params?: ValidUserSelection<S, UserListParams>,
    options?: CallOptions,
  ) =>
    readPages<UserOf<S>, S>(caller, {
      endpoint,
      input: { path: { id }, query: listQuery(params ?? {}) },
      selection: params,
      shape: usersWith<S>(params),
      options,
    });
}

/** Creates a method that lists posts, such as `mentions`, from an endpoint with an id in its path. */
export function postList<Params extends ListParams & PostSelection>(
  caller: Caller,
  endpoint: Endpoint,
) {
  return <S extends Params>(
    id: string,
    params?: ValidPostSelection<S, Params>,
    options?: CallOptions,
  ) =>
    readPages<PostOf<S>, S>(caller, {
      endpoint,
      input: { path: { id }, query: listQuery(params ?? {}) },
      selection: params,
      shape: postsWith<S>(params),
      options,
    });
}
