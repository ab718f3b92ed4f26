import { documented } from "../kernel/ledger.ts";
import { appOf } from "../auth/caller.ts";
import { projects } from "../apps/entities.ts";
import { Query } from "../data-query/query.ts";
import { renderContext } from "../data-query/render-context.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall, Route } from "../kernel/http/route.ts";
import { postPageDocument, readPostSelection } from "../posts/rendering/document.ts";
import { readBounds } from "./bounds.ts";
import { parseSearch, type SearchExpression } from "./parse.ts";
import { runSearch } from "./run.ts";
import { SearchSyntaxError } from "./tokens.ts";

const SIZES = { min: 10, max: 100 };
const SIZE = 10;

/** Most characters of a query. Source: operators of the live service by plan. */
const MAX_QUERY_LENGTH = { enterprise: 4_096, other: 512 };

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts/search/recent",
    ledger: documented(
      "Data interface and field selection",
      "Parameters beyond query, post.fields, user.fields and expansions are the live service's.",
    ),
    auth: ["bearer", "oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { app: 450, user: 300 },
    handle: searchRecent,
  },
];

function searchRecent(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.require("query");
  const text = query.text("query", { max: maxQueryLength(call) });
  const size = query.integer("max_results", SIZES) ?? SIZE;
  const next = query.token("next_token");
  const cursor = query.token("pagination_token") ?? next;
  query.choice("sort_order", ["recency", "relevancy"]);
  const bounds = readBounds(query, call.sandbox.time.now());
  const selection = readPostSelection(query);
  query.finish();
  const search = parse(text ?? "");
  const context = renderContext(call);
  return {
    body: postPageDocument(
      context,
      runSearch(context, search, bounds, { size, cursor }),
      selection,
    ),
  };
}

function maxQueryLength({ caller, sandbox }: RouteCall): number {
  const plan = projects.in(sandbox.world).get(appOf(caller).projectId)?.plan;
  return plan === "enterprise" ? MAX_QUERY_LENGTH.enterprise : MAX_QUERY_LENGTH.other;
}

/** @throws {ApiError} 400 that says what is wrong with the query, and where. */
function parse(text: string): SearchExpression {
  try {
    return parseSearch(text);
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    throw ApiError.parameter(
      "query",
      text,
      `There were errors processing your request: ${error.message} (at position ${error.at})`,
    );
  }
}
