import { findReadableUser, requireSelf, renderContext } from "../../data-query/viewer.ts";
import { userOf } from "../../auth/caller.ts";
import { pageOf } from "../../kernel/world/paging.ts";
import { Query } from "../../data-query/query.ts";
import { checkPeriod } from "../../data-query/time-fault.ts";
import type { RouteResponse, RouteCall, Route } from "../../server/route.ts";
import { postListDocument, postPageDocument } from "../../rendering/post-documents.ts";
import { readPostSelection } from "../../data-query/read-selection.ts";
import type { PostRow } from "../../model/posts.ts";
import { DESCRIBED } from "../ledger.ts";
import {
  homeAuthors,
  type ListBounds,
  mentionsOf,
  pagedPosts,
  type PostIndexValue,
  repostedPosts,
} from "./paged-posts.ts";

const SIZES = { min: 5, max: 100, default: 10 };
const LIST_SIZES = { min: 1, max: 100, default: 100 };
const HOME_SIZES = { min: 1, max: 100, default: 10 };
const KINDS = ["replies", "retweets", "reposts"] as const;

const anybody = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read"],
} as const;

export const timelineRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/:id/posts",
    ...anybody,
    limits: { app: 10_000, user: 900 },
    readsPosts: true,
    handle: (call) => {
      const request = readTimelineRequest(call, true);
      findReadableUser(call, request.id);
      return timelinePage(call, request, [{ index: "author", value: request.id }]);
    },
  },
  {
    method: "GET",
    path: "/2/users/:id/mentions",
    ...anybody,
    limits: { app: 450, user: 300 },
    readsPosts: true,
    handle: (call) => {
      const request = readTimelineRequest(call, false);
      const user = findReadableUser(call, request.id);
      const others = ({ authorId }: PostRow): boolean => authorId !== request.id;
      return timelinePage(call, { ...request, keep: others }, mentionsOf(user));
    },
  },
  {
    method: "GET",
    path: "/2/users/:id/timelines/reverse_chronological",
    ledger: DESCRIBED,
    auth: ["oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { user: 180 },
    readsPosts: true,
    handle: (call) => {
      const request = readTimelineRequest(call, true, HOME_SIZES);
      const authors = homeAuthors(call.sandbox.world, requireSelf(call));
      return timelinePage(
        call,
        request,
        authors.map((value) => ({ index: "author", value })),
      );
    },
  },
  {
    method: "GET",
    path: "/2/users/reposts_of_me",
    ledger: DESCRIBED,
    auth: ["oauth1", "oauth2"],
    scopes: ["tweet.read", "timeline.read"],
    limits: { user: 75 },
    readsPosts: true,
    handle: repostsOfMe,
  },
];

/** Lists posts of the caller that others have reposted. */
function repostsOfMe(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const request = query.page(LIST_SIZES);
  const selection = readPostSelection(query);
  query.finish();
  const context = renderContext(call);
  const list = repostedPosts(context, userOf(call.caller).id);
  return { body: postListDocument(context, pageOf(list, request), selection) };
}

function readTimelineRequest(call: RouteCall, excluding: boolean, sizes = SIZES) {
  const query = new Query(call);
  const id = query.pathId("id");
  const page = query.page(sizes);
  const bounds: ListBounds = {
    sinceId: query.id("since_id"),
    untilId: query.id("until_id"),
    startTime: query.time("start_time"),
    endTime: query.time("end_time"),
  };
  checkPeriod(query, bounds.startTime, bounds.endTime);
  const excluded: ReadonlySet<string> = excluding ? query.choices("exclude", KINDS) : new Set();
  const selection = readPostSelection(query);
  query.finish();
  const keep = (post: PostRow): boolean =>
    !(excluded.has("replies") && post.replyTo !== undefined) &&
    !((excluded.has("retweets") || excluded.has("reposts")) && post.repostOf !== undefined);
  return { id, page, bounds, selection, keep };
}

function timelinePage(
  call: RouteCall,
  request: ReturnType<typeof readTimelineRequest>,
  lists: readonly PostIndexValue[],
): RouteResponse {
  const context = renderContext(call);
  const list = pagedPosts(context, lists, request.bounds, request.keep);
  return {
    body: postPageDocument(context, pageOf(list, request.page), request.selection),
  };
}
