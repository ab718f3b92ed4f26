import type { UserRow } from "../../../model/accounts.ts";
import { userOf } from "../../../auth/caller.ts";
import type { Route, RouteCall } from "../../../server/route.ts";
import { type SavedSearchRow, savedSearches } from "../../../model/saved-searches.ts";
import { dateText, wireInt } from "../../../rendering/events/wire.ts";
import type { WireObject } from "../../../rendering/selection.ts";
import { LEGACY } from "../../ledger.ts";
import { coded } from "../coded-errors.ts";
import { idInFile, LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";

const PATH = "/1.1/saved_searches";
const MAX_SAVED = 25;

const reading = { ledger: LEGACY, auth: ["oauth1"], method: "GET", limits: { user: 15 } } as const;
const writing = { ...reading, method: "POST", level: "read-write" } as const;

/** Routes for the queries that the caller has saved. */
export const savedSearchRoutes: readonly Route[] = [
  {
    ...reading,
    path: `${PATH}/list.json`,
    handle: (call) => legacyBody(savedBy(call, userOf(call.caller)).map(rendered)),
  },
  {
    ...reading,
    path: `${PATH}/show/:file`,
    handle: (call) => legacyBody(rendered(ownSearch(call))),
  },
  {
    ...writing,
    path: `${PATH}/create.json`,
    handle: (call) => {
      const query = new LegacyParameters(call).text("query");
      if (query === undefined) throw coded("missing");
      const user = userOf(call.caller);
      const saved = savedBy(call, user);
      const same = saved.find((one) => one.query === query);
      if (same === undefined && saved.length >= MAX_SAVED) throw coded("tooManySearches");
      const { world, time } = call.sandbox;
      const row = { id: world.ids.next(), ownerId: user.id, query, at: time.now() };
      return legacyBody(rendered(same ?? savedSearches.in(world).put(row)));
    },
  },
  {
    ...writing,
    path: `${PATH}/destroy/:file`,
    handle: (call) => {
      const row = ownSearch(call);
      savedSearches.in(call.sandbox.world).delete(row.id);
      return legacyBody(rendered(row));
    },
  },
];

function savedBy({ sandbox }: RouteCall, { id }: UserRow): SavedSearchRow[] {
  return savedSearches.in(sandbox.world).where("owner", id);
}

/** Finds a saved query of the caller. @throws {ApiError} 404, code 34. */
function ownSearch(call: RouteCall): SavedSearchRow {
  const row = savedSearches.in(call.sandbox.world).get(idInFile(call));
  if (row?.ownerId === userOf(call.caller).id) return row;
  throw coded("pageMissing");
}

function rendered({ id, query, at }: SavedSearchRow): WireObject {
  return {
    created_at: dateText(at),
    id: wireInt(id),
    id_str: id,
    name: query,
    position: null,
    query,
  };
}
