import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, type Endpoint, type Endpoints, USER } from "../http/endpoint.ts";
import type { Paged } from "../reading/paging.ts";
import {
  readOne,
  readPages,
  readSeveral,
  type UserPage,
  type UserResult,
  type UsersResult,
} from "../reading/read.ts";
import type { CallInput } from "../http/request.ts";
import type {
  ValidUserSelection,
  EmptySelection,
  UserOf,
  UserSelection,
} from "../reading/selection.ts";
import { usersWith } from "../reading/shapes.ts";

/** Parameters of a search for users. */
export interface UserSearchParams extends UserSelection {
  /** Search words: 1 to 50 letters, digits, underscores, apostrophes and spaces. */
  readonly query: string;
  /** Number of users on a page, from 1 to 1000; default 100. */
  readonly maxResults?: number | undefined;
  /** `meta.next_token` or `meta.previous_token` of an earlier page. */
  readonly nextToken?: string | undefined;
}

/** Users: the owner of the credentials, look-ups, and search. */
export interface UsersMethods {
  /**
   * Returns the owner of the credentials.
   *
   * @example
   * const { data } = await client.users.me({ userFields: ["description"] });
   * console.log(data.username, data.description);
   */
  me<const S extends UserSelection = EmptySelection>(
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UserResult<S>>;
  /** Returns a user by id. @throws PlatformError with `notFound` if the user does not exist */
  get<const S extends UserSelection = EmptySelection>(
    userId: string,
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UserResult<S>>;
  /** Returns a user by name, without the at sign. @throws PlatformError with `notFound` if the user does not exist */
  byUsername<const S extends UserSelection = EmptySelection>(
    username: string,
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UserResult<S>>;
  /** Returns up to 100 users by id; `errors` lists those that do not exist. */
  lookup<const S extends UserSelection = EmptySelection>(
    userIds: readonly string[],
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UsersResult<S>>;
  /** Returns up to 100 users by name; `errors` lists those that do not exist. */
  lookupByUsername<const S extends UserSelection = EmptySelection>(
    usernames: readonly string[],
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UsersResult<S>>;
  /** Searches for users by name. */
  search<const S extends UserSearchParams>(
    search: ValidUserSelection<S, UserSearchParams>,
    options?: CallOptions,
  ): Paged<UserOf<S>, UserPage<S>>;
}

/** Endpoints of the user methods. */
export const USERS = {
  me: { method: "GET", path: "/2/users/me", takes: USER },
  get: { method: "GET", path: "/2/users/:id", takes: ANY },
  byUsername: { method: "GET", path: "/2/users/by/username/:username", takes: ANY },
  lookup: { method: "GET", path: "/2/users", takes: ANY },
  lookupByUsername: { method: "GET", path: "/2/users/by", takes: ANY },
  search: { method: "GET", path: "/2/users/search", takes: USER },
} as const satisfies Endpoints<UsersMethods>;

/** Creates the methods of users, which send their requests through `caller`. */
export function users(caller: Caller): UsersMethods {
  const one =
    (endpoint: Endpoint, place: (named: string) => CallInput) =>
    <S extends UserSelection>(
      named: string,
      selection?: ValidUserSelection<S>,
      options?: CallOptions,
    ) => {
      const shape = usersWith<S>(selection);
      const read = { endpoint, input: place(named), selection, shape, options };
      return readOne<UserOf<S>, S>(caller, read);
    };
  const some =
    (endpoint: Endpoint, parameter: string) =>
    <S extends UserSelection>(
      named: readonly string[],
      selection?: ValidUserSelection<S>,
      options?: CallOptions,
    ) => {
      const shape = usersWith<S>(selection);
      const input = { query: { [parameter]: named } };
      return readSeveral<UserOf<S>, S>(caller, { endpoint, input, selection, shape, options });
    };
  const me = one(USERS.me, () => ({}));
  return {
    me: <S extends UserSelection>(selection?: ValidUserSelection<S>, options?: CallOptions) =>
      me<S>("", selection, options),
    get: one(USERS.get, (id) => ({ path: { id } })),
    byUsername: one(USERS.byUsername, (username) => ({ path: { username } })),
    lookup: some(USERS.lookup, "ids"),
    lookupByUsername: some(USERS.lookupByUsername, "usernames"),
    search: <S extends UserSearchParams>(
      search: ValidUserSelection<S, UserSearchParams>,
      options?: CallOptions,
    ) => {
      const { query, maxResults, nextToken } = search;
      const read = {
        endpoint: USERS.search,
        input: { query: { query, max_results: maxResults, next_token: nextToken } },
        selection: search,
        shape: usersWith<S>(search),
        options,
      };
      return readPages<UserOf<S>, S>(caller, read, "next_token");
    },
  };
}
