import { appOf } from "../auth/caller.ts";
import { projects } from "../apps/entities.ts";
import { Query } from "../fields/query.ts";
import { readerOf } from "../fields/reader.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { pageDocument, readPostSelection } from "../posts/document.ts";
import { readBounds } from "./bounds.ts";
import { parseSearch, type Search } from "./parse.ts";
import { runSearch } from "./run.ts";
import { QueryFault } from "./token.ts";

const SIZES = { min: 10, max: 100 };
const SIZE = 10;

/** Most characters of a query. Source: operators of the live service by plan. */
const LONGEST = { enterprise: 4_096, other: 512 };

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts/search/recent",
    auth: ["bearer", "oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { app: 450, user: 300 },
    handle: recent,
  },
];

function recent(call: Call): Answer {
  const query = new Query(call);
  query.need("query");
  const text = query.text("query", { max: longest(call) });
  const size = query.integer("max_results", SIZES) ?? SIZE;
  const next = query.token("next_token");
  const place = query.token("pagination_token") ?? next;
  query.choice("sort_order", ["recency", "relevancy"]);
  const bounds = readBounds(query, call.sandbox.time.now());
  const selection = readPostSelection(query);
  query.done();
  const search = read(text ?? "");
  const reader = readerOf(call);
  return { body: pageDocument(reader, runSearch(reader, search, bounds, size, place), selection) };
}

function longest({ caller, sandbox }: Call): number {
  const plan = projects.in(sandbox.world).get(appOf(caller).projectId)?.plan;
  return plan === "enterprise" ? LONGEST.enterprise : LONGEST.other;
}

/** @throws {Refusal} 400 that tells what is wrong with the query, and where. */
function read(text: string): Search {
  try {
    return parseSearch(text);
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    throw Refusal.parameter(
      "query",
      text,
      `There were errors processing your request: ${error.message} (at position ${error.at})`,
    );
  }
}
