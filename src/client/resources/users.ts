import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, type Endpoint, type Endpoints, USER } from "../http/endpoint.ts";
import { readOne, readSeveral, type UserResult, type UsersResult } from "../reading/read.ts";
import type { CallInput } from "../http/request.ts";
import type {
  ValidUserSelection,
  EmptySelection,
  UserOf,
  UserSelection,
} from "../reading/selection.ts";
import { usersWith } from "../reading/shapes.ts";

/** Users: who am I, and look-ups. */
export interface UsersMethods {
  /**
   * The user whose credentials these are.
   *
   * @example
   * const { data } = await client.users.me({ userFields: ["description"] });
   * console.log(data.username, data.description);
   */
  me<const S extends UserSelection = EmptySelection>(
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UserResult<S>>;
  /** One user by id. @throws PlatformError with `notFound` when there is no such user */
  get<const S extends UserSelection = EmptySelection>(
    userId: string,
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UserResult<S>>;
  /** One user by name, without the at sign. @throws PlatformError with `notFound` when there is no such user */
  byUsername<const S extends UserSelection = EmptySelection>(
    username: string,
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UserResult<S>>;
  /** Up to 100 users by id; those that do not exist are listed in `errors`. */
  lookup<const S extends UserSelection = EmptySelection>(
    userIds: readonly string[],
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UsersResult<S>>;
  /** Up to 100 users by name; those that do not exist are listed in `errors`. */
  lookupByUsername<const S extends UserSelection = EmptySelection>(
    usernames: readonly string[],
    selection?: ValidUserSelection<S>,
    options?: CallOptions,
  ): Promise<UsersResult<S>>;
}

/** Where the methods of users go. */
export const USERS = {
  me: { method: "GET", path: "/2/users/me", takes: USER },
  get: { method: "GET", path: "/2/users/:id", takes: ANY },
  byUsername: { method: "GET", path: "/2/users/by/username/:username", takes: ANY },
  lookup: { method: "GET", path: "/2/users", takes: ANY },
  lookupByUsername: { method: "GET", path: "/2/users/by", takes: ANY },
} as const satisfies Endpoints<UsersMethods>;

/** The methods of users over a caller. */
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
  };
}
