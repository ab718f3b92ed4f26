import { Query } from "../data-query/query.ts";
import { renderContext } from "../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { readUserSelection } from "../data-query/read-selection.ts";
import { userPageDocument } from "../rendering/user-documents.ts";
import { DESCRIBED } from "../kernel/ledger.ts";
import { peopleFound } from "./people-found.ts";

const SIZES = { min: 1, max: 1000 };
const SIZE = 100;
const WANTED = /^[A-Za-z0-9_' ]{1,50}$/;

export const userSearchRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/search",
    ledger: DESCRIBED,
    auth: ["oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { user: 900 },
    handle: searchUsers,
  },
];

function searchUsers(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.require("query");
  const wanted = query.text("query", { max: 50 });
  if (wanted !== undefined && !WANTED.test(wanted)) {
    const message = `The \`query\` query parameter value [${wanted}] does not match ${WANTED.source}`;
    query.addFaultMessage("query", wanted, message);
  }
  const size = query.integer("max_results", SIZES) ?? SIZE;
  const cursor = query.token("next_token");
  const selection = readUserSelection(query);
  query.finish();
  const context = renderContext(call);
  const page = peopleFound(context, wanted ?? "", { size, cursor });
  const { meta, ...document } = userPageDocument(context, page, selection);
  // The live service's API description has no `result_count` in this response.
  const { result_count: _count, ...tokens } = Object(meta);
  return { body: { ...document, meta: tokens } };
}
