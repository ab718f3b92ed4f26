import { assumed, documented } from "../kernel/ledger.ts";
import { Query } from "../data-query/query.ts";
import { renderContext } from "../data-query/viewer.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { postPageDocument } from "../rendering/post-documents.ts";
import { readPostSelection } from "../data-query/read-selection.ts";
import {
  ARCHIVE,
  readBounds,
  recentReach,
  type SearchReach,
  ARCHIVE_LENGTHS,
  readSearch,
  RECENT_LENGTHS,
} from "./search-request.ts";
import { countRoutes } from "./count-routes.ts";
import { runSearch } from "./run.ts";

const SIZE = 10;

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts/search/recent",
    ledger: documented(
      "Data interface and field selection",
      "Parameters other than query, post.fields, user.fields and expansions follow the live service.",
    ),
    auth: ["bearer", "oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { app: 450, user: 300 },
    readsPosts: true,
    handle: (call) => searchPosts(call, recentReach(call.sandbox.time.now()), 100, RECENT_LENGTHS),
  },
  {
    method: "GET",
    path: "/2/posts/search/all",
    ledger: assumed(
      "Recent search over all posts, by the live service's API description, without its limit of one request a second.",
    ),
    auth: ["bearer"],
    limits: { app: 300 },
    readsPosts: true,
    handle: (call) => searchPosts(call, ARCHIVE, 500, ARCHIVE_LENGTHS),
  },
  ...countRoutes,
];

function searchPosts(
  call: RouteCall,
  reach: SearchReach,
  maxSize: number,
  lengths: typeof RECENT_LENGTHS,
): RouteResponse {
  const query = new Query(call);
  const search = readSearch(query, call, lengths);
  const size = query.integer("max_results", { min: 10, max: maxSize }) ?? SIZE;
  const next = query.token("next_token");
  const cursor = query.token("pagination_token") ?? next;
  query.choice("sort_order", ["recency", "relevancy"]);
  const bounds = readBounds(query, call.sandbox.time.now(), reach);
  const selection = readPostSelection(query);
  query.finish();
  const context = renderContext(call);
  const page = runSearch(context, search(), bounds, { size, cursor });
  return { body: postPageDocument(context, page, selection) };
}
