import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { ANY, type Endpoints, USER } from "../http/endpoint.ts";
import { postList } from "../reading/lists.ts";
import type { Paged } from "../reading/paging.ts";
import { type PostPage } from "../reading/read.ts";
import type {
  ValidPostSelection,
  EmptySelection,
  PostOf,
  PostSelection,
} from "../reading/selection.ts";
import type { ListParams, PageParams, TimeWindow } from "../reading/list-params.ts";

/** Parameters of the list of mentions. */
export interface MentionsParams extends TimeWindow, PageParams, PostSelection {}

/** Parameters of the list of a user's posts. */
export interface TimelineParams extends ListParams, PostSelection {}

/** Timelines: posts by a user, and posts that mention a user. */
export interface TimelinesMethods {
  /** Posts of a user, newest first. */
  posts<const S extends TimelineParams = EmptySelection>(
    userId: string,
    params?: ValidPostSelection<S, TimelineParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** The user's home timeline, newest first. Available only for the owner of the credentials. */
  home<const S extends TimelineParams = EmptySelection>(
    userId: string,
    params?: ValidPostSelection<S, TimelineParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
  /** Posts that mention a user, newest first. */
  mentions<const S extends MentionsParams = EmptySelection>(
    userId: string,
    params?: ValidPostSelection<S, MentionsParams>,
    options?: CallOptions,
  ): Paged<PostOf<S>, PostPage<S>>;
}

/** Endpoints of the timeline methods. */
export const TIMELINES = {
  posts: { method: "GET", path: "/2/users/:id/posts", takes: ANY },
  home: { method: "GET", path: "/2/users/:id/timelines/reverse_chronological", takes: USER },
  mentions: { method: "GET", path: "/2/users/:id/mentions", takes: ANY },
} as const satisfies Endpoints<TimelinesMethods>;

/** Creates the methods of timelines, which send their requests through `caller`. */
export function timelines(caller: Caller): TimelinesMethods {
  return {
    posts: postList<TimelineParams>(caller, TIMELINES.posts),
    home: postList<TimelineParams>(caller, TIMELINES.home),
    mentions: postList<MentionsParams>(caller, TIMELINES.mentions),
  };
}
