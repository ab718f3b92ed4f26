import type { Caller, CallOptions } from "../caller.ts";
import { ANY, type Endpoints } from "../endpoint.ts";
import type { Paged } from "../paging.ts";
import { type PostPage, readPages } from "../reading.ts";
import type { AskPosts, Plain, PostOf, PostSelection } from "../selection.ts";
import { postsWith } from "../shapes.ts";
import { type PageParams, type TimeWindow, windowParams } from "../window.ts";

/** What a timeline takes besides the selection. */
export interface MentionsParams extends TimeWindow, PageParams, PostSelection {}

/** What the list of a user's posts takes besides the selection. */
export interface TimelineParams extends MentionsParams {
  /** Kinds of posts to leave out, in the wire's words. */
  readonly exclude?: readonly ("replies" | "retweets")[] | undefined;
}

/** Timelines: what a user wrote, and where a user is mentioned. */
export interface TimelinesMethods {
  /** Posts of a user, newest first. */
  posts<const S extends TimelineParams = Plain>(
    userId: string,
    params?: AskPosts<S, TimelineParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** Posts that mention a user, newest first. */
  mentions<const S extends MentionsParams = Plain>(
    userId: string,
    params?: AskPosts<S, MentionsParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
}

/** Where the methods of timelines go. */
export const TIMELINES = {
  posts: { method: "GET", path: "/2/users/:id/tweets", takes: ANY },
  mentions: { method: "GET", path: "/2/users/:id/mentions", takes: ANY },
} as const satisfies Endpoints<TimelinesMethods>;

/** The methods of timelines over a caller. */
export function timelines(caller: Caller): TimelinesMethods {
  return {
    posts: <S extends TimelineParams>(
      id: string,
      params?: AskPosts<S, TimelineParams>,
      options?: CallOptions,
    ) => {
      const query = { exclude: params?.exclude, ...windowParams(params ?? {}) };
      const input = { path: { id }, query };
      const read = {
        endpoint: TIMELINES.posts,
        input,
        selection: params,
        shape: postsWith<S>(params),
        options,
      };
      return readPages<PostOf<S>, S>(caller, read);
    },
    mentions: <S extends MentionsParams>(
      id: string,
      params?: AskPosts<S, MentionsParams>,
      options?: CallOptions,
    ) => {
      const input = { path: { id }, query: windowParams(params ?? {}) };
      const read = {
        endpoint: TIMELINES.mentions,
        input,
        selection: params,
        shape: postsWith<S>(params),
        options,
      };
      return readPages<PostOf<S>, S>(caller, read);
    },
  };
}
