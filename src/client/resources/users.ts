import type { Caller, CallOptions } from "../caller.ts";
import { ANY, type Endpoint, type Endpoints, USER } from "../endpoint.ts";
import { readOne, readSome, type UserAnswer, type UsersAnswer } from "../reading.ts";
import type { CallInput } from "../request.ts";
import type { AskUsers, Plain, UserOf, UserSelection } from "../selection.ts";
import { usersWith } from "../shapes.ts";

/** Users: who am I, and look-ups. */
export interface UsersMethods {
  /**
   * The user whose credentials these are.
   *
   * @example
   * const { data } = await client.users.me({ userFields: ["description"] });
   * console.log(data.username, data.description);
   */
  me<const S extends UserSelection = Plain>(
    selection?: AskUsers<S>,
    options?: CallOptions,
  ): Promise<UserAnswer<S>>;
  /** One user by id. @throws PlatformError with `notFound` when there is none */
  get<const S extends UserSelection = Plain>(
    userId: string,
    selection?: AskUsers<S>,
    options?: CallOptions,
  ): Promise<UserAnswer<S>>;
  /** One user by name, without the at sign. @throws PlatformError with `notFound` when there is none */
  byUsername<const S extends UserSelection = Plain>(
    username: string,
    selection?: AskUsers<S>,
    options?: CallOptions,
  ): Promise<UserAnswer<S>>;
  /** Up to 100 users by id; those that do not exist stand in `errors`. */
  lookup<const S extends UserSelection = Plain>(
    userIds: readonly string[],
    selection?: AskUsers<S>,
    options?: CallOptions,
  ): Promise<UsersAnswer<S>>;
  /** Up to 100 users by name; those that do not exist stand in `errors`. */
  lookupByUsername<const S extends UserSelection = Plain>(
    usernames: readonly string[],
    selection?: AskUsers<S>,
    options?: CallOptions,
  ): Promise<UsersAnswer<S>>;
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
    <S extends UserSelection>(named: string, selection?: AskUsers<S>, options?: CallOptions) => {
      const shape = usersWith<S>(selection);
      const read = { endpoint, input: place(named), selection, shape, options };
      return readOne<UserOf<S>, S>(caller, read);
    };
  const some =
    (endpoint: Endpoint, parameter: string) =>
    <S extends UserSelection>(
      named: readonly string[],
      selection?: AskUsers<S>,
      options?: CallOptions,
    ) => {
      const shape = usersWith<S>(selection);
      const input = { query: { [parameter]: named } };
      return readSome<UserOf<S>, S>(caller, { endpoint, input, selection, shape, options });
    };
  const me = one(USERS.me, () => ({}));
  return {
    me: <S extends UserSelection>(selection?: AskUsers<S>, options?: CallOptions) =>
      me<S>("", selection, options),
    get: one(USERS.get, (id) => ({ path: { id } })),
    byUsername: one(USERS.byUsername, (username) => ({ path: { username } })),
    lookup: some(USERS.lookup, "ids"),
    lookupByUsername: some(USERS.lookupByUsername, "usernames"),
  };
}
