import type { Caller, CallOptions } from "../caller.ts";
import { ANY, type Endpoints, USER } from "../endpoint.ts";
import { postList } from "../lists.ts";
import type { Paged } from "../paging.ts";
import { type PostPage } from "../reading.ts";
import type { AskPosts, Plain, PostOf, PostSelection } from "../selection.ts";
import type { ListParams, PageParams, TimeWindow } from "../window.ts";

/** What the list of mentions takes. */
export interface MentionsParams extends TimeWindow, PageParams, PostSelection {}

/** What the list of a user's posts takes. */
export interface TimelineParams extends ListParams, PostSelection {}

/** Timelines: what a user wrote, and where a user is mentioned. */
export interface TimelinesMethods {
  /** Posts of a user, newest first. */
  posts<const S extends TimelineParams = Plain>(
    userId: string,
    params?: AskPosts<S, TimelineParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** What the user's home timeline shows, newest first; the user's own only. */
  home<const S extends TimelineParams = Plain>(
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
  posts: { method: "GET", path: "/2/users/:id/posts", takes: ANY },
  home: { method: "GET", path: "/2/users/:id/timelines/reverse_chronological", takes: USER },
  mentions: { method: "GET", path: "/2/users/:id/mentions", takes: ANY },
} as const satisfies Endpoints<TimelinesMethods>;

/** The methods of timelines over a caller. */
export function timelines(caller: Caller): TimelinesMethods {
  return {
    posts: postList<TimelineParams>(caller, TIMELINES.posts),
    home: postList<TimelineParams>(caller, TIMELINES.home),
    mentions: postList<MentionsParams>(caller, TIMELINES.mentions),
  };
}
