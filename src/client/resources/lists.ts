import { z } from "zod";
import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, type Endpoint, type Endpoints, USER } from "../http/endpoint.ts";
import { listQuery, type PageParams, type PostListParams } from "../reading/list-params.ts";
import { postList, type PostListMethod, userList, type UserListMethod } from "../reading/lists.ts";
import type { Paged } from "../reading/paging.ts";
import { type PeopleListPage, type PeopleListResult, readOne, readPages } from "../reading/read.ts";
import { dataOf } from "../reading/response.ts";
import type {
  EmptySelection,
  PeopleListOf,
  PeopleListSelection,
  ValidPeopleListSelection,
} from "../reading/selection.ts";
import { peopleListsWith } from "../reading/shapes.ts";

const Created = z.object({ id: z.string(), name: z.string() });
const Updated = z.object({ updated: z.boolean() });
const Deleted = z.object({ deleted: z.boolean() });
const Membership = z.object({ is_member: z.boolean() });
const Following = z.object({ following: z.boolean() });
const Pinned = z.object({ pinned: z.boolean() });

/** A newly created list. */
export type CreatedPeopleList = z.infer<typeof Created>;

/** Name, description and visibility of a list. */
export interface PeopleListDetails {
  /** Name of 1 to 25 characters. */
  readonly name: string;
  /** Description of up to 100 characters. */
  readonly description?: string | undefined;
  /** Makes the list visible only to its owner; default false. */
  readonly private?: boolean | undefined;
}

/** Identifies a list and one of its members. */
export interface ListAndMember {
  readonly listId: string;
  readonly userId: string;
}

/** The acting user, who must be the owner of the credentials, and the list. */
export interface UserAndList {
  readonly userId: string;
  readonly listId: string;
}

/** Parameters of a list of lists. */
export interface PeopleListsParams extends PageParams, PeopleListSelection {}

/**
 * A method that returns lists related to a user: owned by, containing, or followed by the user.
 *
 * @throws PlatformError if the user does not exist.
 */
export type PeopleListsMethod = <const S extends PeopleListsParams = EmptySelection>(
  userId: string,
  params?: ValidPeopleListSelection<S, PeopleListsParams>,
  options?: CallOptions,
) => Paged<PeopleListOf<S>, PeopleListPage<S>>;

/** Lists of people: create, change, follow, and read the members' posts. */
export interface ListsMethods {
  /**
   * Creates a list that belongs to the user.
   *
   * @example
   * const list = await client.lists.create({ name: "Customers" });
   * await client.lists.addMember({ listId: list.id, userId: "42" });
   */
  create(list: PeopleListDetails, options?: CallOptions): Promise<CreatedPeopleList>;
  /** Changes the passed details of a list that belongs to the user. */
  update(
    listId: string,
    change: Partial<PeopleListDetails>,
    options?: CallOptions,
  ): Promise<{ updated: boolean }>;
  /** Deletes a list that belongs to the user. */
  delete(listId: string, options?: CallOptions): Promise<{ deleted: boolean }>;
  /** Returns a list. @throws PlatformError with `notFound` if it does not exist or is another user's private list */
  get<const S extends PeopleListSelection = EmptySelection>(
    listId: string,
    selection?: ValidPeopleListSelection<S>,
    options?: CallOptions,
  ): Promise<PeopleListResult<S>>;
  /** Posts of the members, newest first. */
  readonly posts: PostListMethod;
  /** Members of a list, latest first. */
  readonly members: UserListMethod;
  /** Users who follow a list. */
  readonly followers: UserListMethod;
  /** Adds a member. Adding an existing member changes nothing. */
  addMember(member: ListAndMember, options?: CallOptions): Promise<{ is_member: boolean }>;
  /** Removes a member. */
  removeMember(member: ListAndMember, options?: CallOptions): Promise<{ is_member: boolean }>;
  /** Lists that a user owns. */
  readonly owned: PeopleListsMethod;
  /** Lists of which a user is a member. */
  readonly memberships: PeopleListsMethod;
  /** Lists that a user follows. */
  readonly followed: PeopleListsMethod;
  /** Lists that the user has pinned, all on one page. Available only for the owner of the credentials. */
  pinned<const S extends PeopleListSelection = EmptySelection>(
    userId: string,
    selection?: ValidPeopleListSelection<S>,
    options?: CallOptions,
  ): Paged<PeopleListOf<S>, PeopleListPage<S>>;
  /** Follows a list. */
  follow(list: UserAndList, options?: CallOptions): Promise<{ following: boolean }>;
  /** Stops following a list. */
  unfollow(list: UserAndList, options?: CallOptions): Promise<{ following: boolean }>;
  /** Pins a list. */
  pin(list: UserAndList, options?: CallOptions): Promise<{ pinned: boolean }>;
  /** Unpins a list. */
  unpin(list: UserAndList, options?: CallOptions): Promise<{ pinned: boolean }>;
}

/** Endpoints of the list methods. */
export const LISTS = {
  create: { method: "POST", path: "/2/lists", takes: USER },
  update: { method: "PUT", path: "/2/lists/:id", takes: USER },
  delete: { method: "DELETE", path: "/2/lists/:id", takes: USER },
  get: { method: "GET", path: "/2/lists/:id", takes: ANY },
  posts: { method: "GET", path: "/2/lists/:id/posts", takes: ANY },
  members: { method: "GET", path: "/2/lists/:id/members", takes: ANY },
  followers: { method: "GET", path: "/2/lists/:id/followers", takes: ANY },
  addMember: { method: "POST", path: "/2/lists/:id/members", takes: USER },
  removeMember: { method: "DELETE", path: "/2/lists/:id/members/:user_id", takes: USER },
  owned: { method: "GET", path: "/2/users/:id/owned_lists", takes: ANY },
  memberships: { method: "GET", path: "/2/users/:id/list_memberships", takes: ANY },
  followed: { method: "GET", path: "/2/users/:id/followed_lists", takes: ANY },
  pinned: { method: "GET", path: "/2/users/:id/pinned_lists", takes: USER },
  follow: { method: "POST", path: "/2/users/:id/followed_lists", takes: USER },
  unfollow: { method: "DELETE", path: "/2/users/:id/followed_lists/:list_id", takes: USER },
  pin: { method: "POST", path: "/2/users/:id/pinned_lists", takes: USER },
  unpin: { method: "DELETE", path: "/2/users/:id/pinned_lists/:list_id", takes: USER },
} as const satisfies Endpoints<ListsMethods>;

/** Creates the methods of lists, which send their requests through `caller`. */
export function lists(caller: Caller): ListsMethods {
  return {
    create: async (list, options) =>
      dataOf(await caller.call(LISTS.create, { json: list }, options), Created),
    update: async (id, change, options) =>
      dataOf(await caller.call(LISTS.update, { path: { id }, json: change }, options), Updated),
    delete: async (id, options) =>
      dataOf(await caller.call(LISTS.delete, { path: { id } }, options), Deleted),
    get: <S extends PeopleListSelection>(
      id: string,
      selection?: ValidPeopleListSelection<S>,
      options?: CallOptions,
    ) =>
      readOne<PeopleListOf<S>, S>(caller, {
        endpoint: LISTS.get,
        input: { path: { id } },
        selection,
        shape: peopleListsWith<S>(selection),
        options,
      }),
    posts: postList<PostListParams>(caller, LISTS.posts),
    members: userList(caller, LISTS.members),
    followers: userList(caller, LISTS.followers),
    addMember: async ({ listId: id, userId }, options) => {
      const input = { path: { id }, json: { user_id: userId } };
      return dataOf(await caller.call(LISTS.addMember, input, options), Membership);
    },
    removeMember: async ({ listId: id, userId }, options) => {
      const input = { path: { id, user_id: userId } };
      return dataOf(await caller.call(LISTS.removeMember, input, options), Membership);
    },
    owned: listsOf(caller, LISTS.owned),
    memberships: listsOf(caller, LISTS.memberships),
    followed: listsOf(caller, LISTS.followed),
    pinned: listsOf(caller, LISTS.pinned),
    follow: begin(caller, LISTS.follow, Following),
    unfollow: end(caller, LISTS.unfollow, Following),
    pin: begin(caller, LISTS.pin, Pinned),
    unpin: end(caller, LISTS.unpin, Pinned),
  };
}

function listsOf(caller: Caller, endpoint: Endpoint): PeopleListsMethod {
  return <S extends PeopleListsParams>(
    id: string,
    params?: ValidPeopleListSelection<S, PeopleListsParams>,
    options?: CallOptions,
  ) =>
    readPages<PeopleListOf<S>, S>(caller, {
      endpoint,
      input: { path: { id }, query: listQuery(params ?? {}) },
      selection: params,
      shape: peopleListsWith<S>(params),
      options,
    });
}

function begin<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId: id, listId }: UserAndList, options?: CallOptions): Promise<T> => {
    const input = { path: { id }, json: { list_id: listId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}

function end<T>(caller: Caller, endpoint: Endpoint, schema: z.ZodType<T>) {
  return async ({ userId: id, listId }: UserAndList, options?: CallOptions): Promise<T> => {
    const input = { path: { id, list_id: listId } };
    return dataOf(await caller.call(endpoint, input, options), schema);
  };
}
