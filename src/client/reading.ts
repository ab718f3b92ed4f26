import { emptyAnswer, objectOf, objectsOf, type Shape } from "./answer.ts";
import type { Answer, Caller, CallOptions } from "./caller.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Problem } from "./errors.ts";
import { paged, type Paged } from "./paging.ts";
import { isFields, readProblems } from "./problem.ts";
import type { CallInput, Params } from "./request.ts";
import { type AnySelection, selectionParams } from "./selecting.ts";
import type { DmEventOf, IncludesOf, PostOf, UserOf } from "./selection.ts";
import { includesOf } from "./shapes.ts";

/** One object, what came along with it, and what could not be had. */
export interface One<Item, S> {
  readonly data: Item;
  readonly includes: IncludesOf<S>;
  /** Parts that the platform could not give. */
  readonly errors: readonly Problem[];
}

/** Objects that were asked for by name; those that do not exist stand in `errors`. */
export interface Some<Item, S> {
  readonly data: readonly Item[];
  readonly includes: IncludesOf<S>;
  readonly errors: readonly Problem[];
}

/** What a page tells of itself, as the platform names it. */
export interface PageMeta {
  readonly result_count: number;
  readonly next_token?: string;
  readonly previous_token?: string;
  readonly newest_id?: string;
  readonly oldest_id?: string;
}

/** One page of a list. */
export interface Page<Item, S> extends Some<Item, S> {
  readonly meta: PageMeta;
}

/** One post with what was selected. */
export type PostAnswer<S> = One<PostOf<S>, S>;
/** Several posts with what was selected. */
export type PostsAnswer<S> = Some<PostOf<S>, S>;
/** A page of posts with what was selected. */
export type PostPage<S> = Page<PostOf<S>, S>;
/** One user with what was selected. */
export type UserAnswer<S> = One<UserOf<S>, S>;
/** Several users with what was selected. */
export type UsersAnswer<S> = Some<UserOf<S>, S>;
/** A page of users with what was selected. */
export type UserPage<S> = Page<UserOf<S>, S>;
/** One message event with what was selected. */
export type DmEventAnswer<S> = One<DmEventOf<S>, S>;
/** A page of message events with what was selected. */
export type DmEventPage<S> = Page<DmEventOf<S>, S>;

/** A read: where, with what, and which objects come. */
export interface Read<Item, S> {
  readonly endpoint: Endpoint;
  readonly input?: CallInput;
  /** Nothing asked for when left out. */
  readonly selection: S | undefined;
  readonly shape: Shape<Item>;
  readonly options: CallOptions | undefined;
}

function inputOf(caller: Caller, read: Read<unknown, AnySelection>, more: Params = {}): CallInput {
  const asked = selectionParams(read.selection ?? {}, caller.settings.dialect);
  return { ...read.input, query: { ...read.input?.query, ...asked, ...more } };
}

function rest<S extends AnySelection>(answer: Answer, selection: S | undefined) {
  return {
    includes: includesOf(answer, selection),
    errors: readProblems(answer.body["errors"]),
  };
}

/** Reads one object. @throws PlatformError also where the answer is 200 and holds only errors */
export async function readOne<Item, S extends AnySelection>(
  caller: Caller,
  read: Read<Item, S>,
): Promise<One<Item, S>> {
  const answer = await caller.call(read.endpoint, inputOf(caller, read), read.options);
  if (answer.body["data"] === undefined) throw emptyAnswer(answer);
  const data = objectOf(answer, answer.body["data"], read.shape, "data");
  return { data, ...rest(answer, read.selection) };
}

/** Reads several objects by name; what does not exist is told in `errors`. */
export async function readSome<Item, S extends AnySelection>(
  caller: Caller,
  read: Read<Item, S>,
): Promise<Some<Item, S>> {
  const answer = await caller.call(read.endpoint, inputOf(caller, read), read.options);
  const data = objectsOf(answer, answer.body["data"], read.shape, "data");
  return { data, ...rest(answer, read.selection) };
}

/** Reads a list page by page. */
export function readPages<Item, S extends AnySelection>(
  caller: Caller,
  read: Read<Item, S>,
  tokenParameter: "pagination_token" | "next_token" = "pagination_token",
): Paged<Item, Page<Item, S>> {
  return paged<Item, Page<Item, S>>(
    async (token) => {
      const more = token === undefined ? {} : { [tokenParameter]: token };
      const answer = await caller.call(read.endpoint, inputOf(caller, read, more), read.options);
      const data = objectsOf(answer, answer.body["data"], read.shape, "data");
      const meta = metaOf(answer, data.length);
      return {
        page: { data, ...rest(answer, read.selection), meta },
        next: meta.next_token,
        answer,
      };
    },
    (page) => page.data,
  );
}

function metaOf(answer: Answer, count: number): PageMeta {
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
