import type { UserRow } from "../../../model/accounts.ts";
import { beginRelation, endRelation, refuseSelf } from "../../../accounts/relationships.ts";
import { peopleFound } from "../../../accounts/people-found.ts";
import { hiddenUserReason } from "../../../model/hidden-reason.ts";
import { userOf } from "../../../auth/caller.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { LEGACY } from "../../ledger.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { namedPeople, requiredPerson } from "../find.ts";
import { LegacyParameters } from "../parameters.ts";
import { renderPerson } from "../render-person.ts";
import { viewOf } from "../status-view.ts";
import { legacyBody } from "../respond.ts";

const MAX_PEOPLE = 100;
const FOUND = { max: 20, fallback: 20 };

const reading = { ledger: LEGACY, auth: ["oauth1", "bearer"] } as const;

/** Routes for users, blocks and mutes. */
export const personRoutes: readonly Route[] = [
  {
    ...reading,
    method: "GET",
    path: "/1.1/users/show.json",
    limits: { app: 900, user: 900 },
    handle: (call) => shown(call, requiredPerson(call, new LegacyParameters(call))),
  },
  ...(["GET", "POST"] as const).map((method): Route => ({
    ...reading,
    method,
    path: "/1.1/users/lookup.json",
    limits: { app: 300, user: 900 },
    handle: lookup,
  })),
  {
    ...reading,
    auth: ["oauth1"],
    method: "GET",
    path: "/1.1/users/search.json",
    limits: { user: 900 },
    handle: searchPeople,
  },
  ...relationRoutes("block", "/1.1/blocks"),
  ...relationRoutes("mute", "/1.1/mutes/users"),
];

/** Returns a person as the response of a route. */
export function shown(call: RouteCall, person: UserRow): RouteResponse {
  return legacyBody(renderPerson(viewOf(call, new LegacyParameters(call)), person));
}

/** Creates the two routes that begin and end a block or a mute. */
function relationRoutes(kind: "block" | "mute", path: string): Route[] {
  const change = (verb: string, apply: typeof beginRelation): Route => ({
    ledger: LEGACY,
    auth: ["oauth1"],
    level: "read-write",
    limits: { user: 50 },
    method: "POST",
    path: `${path}/${verb}.json`,
    handle: (call) => {
      const other = requiredPerson(call, new LegacyParameters(call));
      const user = userOf(call.caller);
      refuseSelf(user, other, kind);
      apply(call.sandbox, kind, user, other);
      return shown(call, other);
    },
  });
  return [change("create", beginRelation), change("destroy", endRelation)];
}

/** Searches people by name, in pages of up to twenty. @throws {ApiError} 400, code 25 or 44. */
function searchPeople(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const wanted = params.text("q");
  if (wanted === undefined) throw coded("missing");
  const size = params.count(FOUND);
  const number = params.text("page") ?? "1";
  if (!/^[1-9]\d{0,3}$/.test(number)) throw badParameter("page");
  const id = String((Number(number) - 1) * size);
  const request = { size, cursor: { direction: "older", id } } as const;
  const view = viewOf(call, params);
  const { items } = peopleFound(view, wanted, request);
  return legacyBody(items.map((user) => renderPerson(view, user)));
}

/**
 * Returns the visible people that a request names by id or handle.
 *
 * @throws {ApiError} 404, code 17, if there are none.
 */
function lookup(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const people = namedPeople(call, params, MAX_PEOPLE);
  const visiblePeople = people.filter((user) => hiddenUserReason(user) === undefined);
  if (visiblePeople.length === 0) throw coded("noUserMatches");
  const view = viewOf(call, params);
  return legacyBody(visiblePeople.slice(0, MAX_PEOPLE).map((user) => renderPerson(view, user)));
}
