import type { Params } from "../http/endpoint.ts";
import type { PostSelection, UserSelection } from "./selection.ts";

/** Window of a list of posts, by time or by id. */
export interface TimeWindow {
  /** Earliest time of the posts, inclusive. A text in ISO 8601, or a `Date`. */
  readonly startTime?: string | Date | undefined;
  /** Latest time of the posts, exclusive. A text in ISO 8601, or a `Date`. */
  readonly endTime?: string | Date | undefined;
  /** Returns only posts newer than this post. */
  readonly sinceId?: string | undefined;
  /** Returns only posts older than this post. */
  readonly untilId?: string | undefined;
}

/** The start of a paged list and the size of its pages. */
export interface PageParams {
  /** Items on a page; each endpoint has its own range. */
  readonly maxResults?: number | undefined;
  /** `meta.next_token` or `meta.previous_token` of an earlier page. */
  readonly paginationToken?: string | undefined;
}

/** Parameters of a list of posts that has no time window. */
export interface PostListParams extends PageParams, PostSelection {}

/** Parameters of a list of users. */
export interface UserListParams extends PageParams, UserSelection {}

/** Parameters of lists of posts, without fields and expansions. Each list accepts some of the parameters. */
export interface ListParams extends TimeWindow, PageParams {
  /** Kinds of posts to leave out; `retweets` is the API's word for reposts. */
  readonly exclude?: readonly ("replies" | "retweets")[] | undefined;
}

/** Converts the parameters of a list to the API's query parameters. */
export function listQuery(params: ListParams): Params {
  return {
    exclude: params.exclude,
    start_time: params.startTime,
    end_time: params.endTime,
    since_id: params.sinceId,
    until_id: params.untilId,
    max_results: params.maxResults,
    pagination_token: params.paginationToken,
  };
}
