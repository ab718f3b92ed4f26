import { controlInput, ownRoute } from "../server/control-input.ts";
import { Includes } from "../rendering/includes.ts";
import { hiddenObjectError } from "../rendering/partial-errors.ts";
import { Query } from "../data-query/query.ts";
import { renderContext } from "../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { wordsOf } from "../model/text/terms.ts";
import { type SpaceRow, spaces } from "../model/spaces.ts";
import { readSpaceSelection } from "../data-query/read-selection.ts";
import { renderSpace, renderWholeSpace } from "../rendering/spaces.ts";
import { DESCRIBED } from "../kernel/ledger.ts";
import { changeSpace, createSpace, findSpace, spaceInput, spacePatch } from "./rules.ts";

const SPACE_ID = /^[a-zA-Z0-9]{1,13}$/;
const MAX_IDS = 100;
const SIZES = { min: 1, max: 100 };
const SIZE = 100;

const reading = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth2"],
  scopes: ["tweet.read", "users.read", "space.read"],
  limits: { app: 300, user: 300 },
} as const;

/** Shared properties of control routes that open and change spaces, as people do in the platform's own app. */
const PEOPLE = ownRoute("nobody else opens or ends a space here.");

export const routes: readonly Route[] = [
  { method: "GET", path: "/2/spaces", ...reading, handle: lookUpSpaces },
  { method: "GET", path: "/2/spaces/search", ...reading, handle: searchSpaces },
  { method: "GET", path: "/2/spaces/by/creator_ids", ...reading, handle: spacesOfCreators },
  { method: "GET", path: "/2/spaces/:id", ...reading, handle: getSpace },
  {
    method: "POST",
    path: "/_sandbox/spaces",
    ...PEOPLE,
    handle: (call) => {
      const space = createSpace(call.sandbox, controlInput(call, spaceInput));
      return { body: { space: renderWholeSpace(space) } };
    },
  },
  {
    method: "PATCH",
    path: "/_sandbox/spaces/:id",
    ...PEOPLE,
    handle: (call) => {
      const space = findSpace(call.sandbox, call.params["id"] ?? "");
      const changed = changeSpace(call.sandbox, space, controlInput(call, spacePatch));
      return { body: { space: renderWholeSpace(changed) } };
    },
  },
];

function getSpace(call: RouteCall): RouteResponse {
  const id = call.params["id"] ?? "";
  const query = new Query(call);
  const selection = readSpaceSelection(query);
  if (!SPACE_ID.test(id)) {
    const message = `The \`id\` query parameter value [${id}] does not match ${SPACE_ID.source}`;
    query.addFaultMessage("id", id, message);
  }
  query.finish();
  const context = renderContext(call);
  const space = spaces.in(context.world).get(id);
  if (space === undefined) {
    throw hiddenObjectError(context, "missing", { resource: "space", parameter: "id", value: id });
  }
  const includes = new Includes(context, selection);
  const data = renderSpace(space, selection, includes);
  return { body: { data, ...includes.body() } };
}

/** Returns the existing spaces as `data`, and errors for all other requested ids, both in the order of the request. */
function lookUpSpaces(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.require("ids");
  const ids = query.list("ids", { max: MAX_IDS, pattern: SPACE_ID }) ?? [];
  const selection = readSpaceSelection(query);
  query.finish();
  const context = renderContext(call);
  const includes = new Includes(context, selection);
  const table = spaces.in(context.world);
  const data = ids.flatMap((id) => {
    const space = table.get(id);
    if (space === undefined) includes.addHidden("missing", "space", "ids", id);
    return space === undefined ? [] : [renderSpace(space, selection, includes)];
  });
  return { body: { ...(data.length === 0 ? {} : { data }), ...includes.body() } };
}

/** Lists the scheduled and live spaces that the requested users have created. */
function spacesOfCreators(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const ids = query.ids("user_ids", MAX_IDS);
  const listed = readList(call, query);
  const table = spaces.in(call.sandbox.world);
  const open = ids.flatMap((id) => table.where("creator", id)).filter(isOpen);
  return listed(open);
}

/** Lists the scheduled and live spaces whose title contains all words of the query. */
function searchSpaces(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.require("query");
  const words = wordsOf(query.text("query", { max: 2_048 }) ?? "");
  const state = query.choice("state", ["live", "scheduled", "all"]) ?? "all";
  const size = query.integer("max_results", SIZES) ?? SIZE;
  const listed = readList(call, query);
  const matchingSpaces = [...spaces.in(call.sandbox.world).all()]
    .filter((space) => isOpen(space) && (state === "all" || space.state === state))
    .filter(({ title }) => {
      const own = wordsOf(title);
      return words.length > 0 && words.every((word) => own.includes(word));
    });
  return listed(matchingSpaces.toReversed().slice(0, size));
}

function isOpen({ state }: SpaceRow): boolean {
  return state !== "ended";
}

/** Reads the remaining parameters of a query. The returned function renders a response with spaces. */
function readList(
  call: RouteCall,
  query: Query,
): (spaceRows: readonly SpaceRow[]) => RouteResponse {
  const selection = readSpaceSelection(query);
  query.finish();
  return (spaceRows) => {
    const includes = new Includes(renderContext(call), selection);
    const data = spaceRows.map((space) => renderSpace(space, selection, includes));
    const meta = { result_count: data.length };
    return { body: { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta } };
  };
}
