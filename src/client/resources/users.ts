import type { Caller, CallOptions } from "../caller.ts";
import { ANY, type Endpoints, USER } from "../endpoint.ts";
import { readOne, readSome, type UserAnswer, type UsersAnswer } from "../reading.ts";
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
  return {
    me: <S extends UserSelection>(selection?: AskUsers<S>, options?: CallOptions) =>
      readOne<UserOf<S>, S>(caller, {
        endpoint: USERS.me,
        selection,
        shape: usersWith<S>(selection),
        options,
      }),
    get: <S extends UserSelection>(id: string, selection?: AskUsers<S>, options?: CallOptions) => {
      const read = {
        endpoint: USERS.get,
        input: { path: { id } },
        selection,
        shape: usersWith<S>(selection),
        options,
      };
      return readOne<UserOf<S>, S>(caller, read);
    },
    byUsername: <S extends UserSelection>(
      username: string,
      selection?: AskUsers<S>,
      options?: CallOptions,
    ) => {
      const input = { path: { username } };
      const read = {
        endpoint: USERS.byUsername,
        input,
        selection,
        shape: usersWith<S>(selection),
        options,
      };
      return readOne<UserOf<S>, S>(caller, read);
    },
    lookup: <S extends UserSelection>(
      ids: readonly string[],
      selection?: AskUsers<S>,
      options?: CallOptions,
    ) => {
      const input = { query: { ids } };
      const read = {
        endpoint: USERS.lookup,
        input,
        selection,
        shape: usersWith<S>(selection),
        options,
      };
      return readSome<UserOf<S>, S>(caller, read);
    },
    lookupByUsername: <S extends UserSelection>(
      usernames: readonly string[],
      selection?: AskUsers<S>,
      options?: CallOptions,
    ) => {
      const input = { query: { usernames } };
      const read = {
        endpoint: USERS.lookupByUsername,
        input,
        selection,
        shape: usersWith<S>(selection),
        options,
      };
      return readSome<UserOf<S>, S>(caller, read);
    },
  };
}
