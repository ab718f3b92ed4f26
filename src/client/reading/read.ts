import { noDataError, objectOf, objectsOf, type Shape } from "./response.ts";
import type { ApiResponse, CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { ProblemDetails } from "../errors.ts";
import { paged, type Paged } from "./paging.ts";
import { isFields, readProblems } from "../http/problem.ts";
import type { Params } from "../http/endpoint.ts";
import type { CallInput } from "../http/request.ts";
import { type AnySelection, selectionParams } from "./selection-params.ts";
import type {
  DmEventOf,
  IncludesOf,
  MediumOf,
  PeopleListOf,
  PostOf,
  SpaceOf,
  UserOf,
} from "./selection.ts";
import { includesOf } from "./shapes.ts";

/** Requested object, its included objects, and the errors of missing parts. */
export interface SingleResult<Item, S> {
  readonly data: Item;
  readonly includes: IncludesOf<S>;
  /** Parts that the platform could not return. */
  readonly errors: readonly ProblemDetails[];
}

/** Objects requested by id or name; `errors` lists those that do not exist. */
export interface ListResult<Item, S> {
  readonly data: readonly Item[];
  readonly includes: IncludesOf<S>;
  readonly errors: readonly ProblemDetails[];
}

/** Metadata of a page, under the platform's names. */
export interface PageMeta {
  readonly result_count: number;
  readonly next_token?: string;
  readonly previous_token?: string;
  readonly newest_id?: string;
  readonly oldest_id?: string;
}

/** Page of a list. */
export interface ResultPage<Item, S> extends ListResult<Item, S> {
  readonly meta: PageMeta;
}

/** A post with its selected fields. */
export type PostResult<S> = SingleResult<PostOf<S>, S>;
/** Several posts with their selected fields. */
export type PostsResult<S> = ListResult<PostOf<S>, S>;
/** A page of posts with their selected fields. */
export type PostPage<S> = ResultPage<PostOf<S>, S>;
/** A user with its selected fields. */
export type UserResult<S> = SingleResult<UserOf<S>, S>;
/** Several users with their selected fields. */
export type UsersResult<S> = ListResult<UserOf<S>, S>;
/** A page of users with their selected fields. */
export type UserPage<S> = ResultPage<UserOf<S>, S>;
/** A message event with its selected fields. */
export type DmEventResult<S> = SingleResult<DmEventOf<S>, S>;
/** A page of message events with their selected fields. */
export type DmEventPage<S> = ResultPage<DmEventOf<S>, S>;

/** A list of people with its selected fields. */
export type PeopleListResult<S> = SingleResult<PeopleListOf<S>, S>;
/** A page of lists with their selected fields. */
export type PeopleListPage<S> = ResultPage<PeopleListOf<S>, S>;
/** A space with its selected fields. */
export type SpaceResult<S> = SingleResult<SpaceOf<S>, S>;
/** Several spaces with their selected fields. */
export type SpacesResult<S> = ListResult<SpaceOf<S>, S>;

/** A media object with its selected fields. */
export type MediumResult<S> = SingleResult<MediumOf<S>, S>;
/** Several media objects with their selected fields. */
export type MediaResult<S> = ListResult<MediumOf<S>, S>;

/** Read request: endpoint, input, selected fields, and the shape of the objects. */
export interface ReadRequest<Item, S> {
  readonly endpoint: Endpoint;
  readonly input?: CallInput;
  /** Selected fields; undefined for the default fields only. */
  readonly selection: S | undefined;
  readonly shape: Shape<Item>;
  readonly options: CallOptions | undefined;
}

function inputOf(
  caller: Caller,
  read: ReadRequest<unknown, AnySelection>,
  more: Params = {},
): CallInput {
  const selected = selectionParams(read.selection ?? {}, caller.settings.dialect);
  return { ...read.input, query: { ...read.input?.query, ...selected, ...more } };
}

function related<S extends AnySelection>(answer: ApiResponse, selection: S | undefined) {
  return {
    includes: includesOf(answer, selection),
    errors: readProblems(answer.body["errors"]),
  };
}

/** Reads the object, includes and errors of a response. @throws ProtocolError */
export function receivedOne<Item, S extends AnySelection>(
  answer: ApiResponse,
  selection: S | undefined,
  shape: Shape<Item>,
): SingleResult<Item, S> {
  const data = objectOf(answer, answer.body["data"], shape, "data");
  return { data, ...related(answer, selection) };
}

/** Reads one object. @throws PlatformError, also for a status 200 that holds only errors */
export async function readOne<Item, S extends AnySelection>(
  caller: Caller,
  read: ReadRequest<Item, S>,
): Promise<SingleResult<Item, S>> {
  const answer = await caller.call(read.endpoint, inputOf(caller, read), read.options);
  if (answer.body["data"] === undefined) throw noDataError(answer);
  return receivedOne(answer, read.selection, read.shape);
}

/** Reads several objects by id or name; `errors` lists those that do not exist. */
export async function readSeveral<Item, S extends AnySelection>(
  caller: Caller,
  read: ReadRequest<Item, S>,
): Promise<ListResult<Item, S>> {
  const answer = await caller.call(read.endpoint, inputOf(caller, read), read.options);
  const data = objectsOf(answer, answer.body["data"], read.shape, "data");
  return { data, ...related(answer, read.selection) };
}

/** Reads a list page by page. */
export function readPages<Item, S extends AnySelection>(
  caller: Caller,
  read: ReadRequest<Item, S>,
  tokenParameter: "pagination_token" | "next_token" = "pagination_token",
): Paged<Item, ResultPage<Item, S>> {
  return paged<Item, ResultPage<Item, S>>(
    async (token) => {
      const more = token === undefined ? {} : { [tokenParameter]: token };
      const answer = await caller.call(read.endpoint, inputOf(caller, read, more), read.options);
      const data = objectsOf(answer, answer.body["data"], read.shape, "data");
      const meta = metaOf(answer, data.length);
      return {
        page: { data, ...related(answer, read.selection), meta },
        next: meta.next_token,
        answer,
      };
    },
    (page) => page.data,
  );
}

function metaOf(answer: ApiResponse, count: number): PageMeta {
  const meta = isFields(answer.body["meta"]) ? answer.body["meta"] : {};
  const resultCount = meta["result_count"];
  const names = ["next_token", "previous_token", "newest_id", "oldest_id"] as const;
  const present = names.flatMap((name) => {
    const value = meta[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return {
    result_count: typeof resultCount === "number" ? resultCount : count,
    ...Object.fromEntries(present),
  };
}
