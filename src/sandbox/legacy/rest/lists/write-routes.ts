import { userOf } from "../../../auth/caller.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { type ListRow, lists } from "../../../model/lists.ts";
import {
  addMembers,
  beginListTie,
  changeList,
  createList,
  deleteList,
  endListTie,
  type ListDetails,
} from "../../../lists/rules.ts";
import { LEGACY } from "../../ledger.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { namedPeople, requiredPerson } from "../find.ts";
import { namedList, ownNamedList } from "./find-list.ts";
import { LegacyParameters } from "../parameters.ts";
import { renderLegacyList } from "./render-list.ts";
import { legacyBody } from "../respond.ts";
import { viewOf } from "../status-view.ts";

const MAX_MEMBERS = 100;
const NAME_LENGTH = 25;
const DESCRIPTION_LENGTH = 100;

/** Changes a list, and returns the list for the response. */
type Change = (call: RouteCall, params: LegacyParameters) => ListRow;

/** Routes that change lists of people. */
export const listWriteRoutes: readonly Route[] = [
  change("create", (call, params) => {
    const details = detailsOf(params);
    if (details.name === undefined) throw coded("missing");
    return createList(call.sandbox, userOf(call.caller), details);
  }),
  change("update", (call, params) => {
    const list = ownNamedList(call, params);
    changeList(call.sandbox, list, detailsOf(params));
    return list;
  }),
  change("members/create", (call, params) => {
    const list = ownNamedList(call, params);
    addMembers(call.sandbox, list, [requiredPerson(call, params)]);
    return list;
  }),
  change("members/create_all", (call, params) => {
    const list = ownNamedList(call, params);
    addMembers(call.sandbox, list, namedPeople(call, params, MAX_MEMBERS));
    return list;
  }),
  change("members/destroy", (call, params) => {
    const list = ownNamedList(call, params);
    endListTie(call.sandbox, "member", list.id, requiredPerson(call, params).id);
    return list;
  }),
  change("members/destroy_all", (call, params) => {
    const list = ownNamedList(call, params);
    for (const { id } of namedPeople(call, params, MAX_MEMBERS)) {
      endListTie(call.sandbox, "member", list.id, id);
    }
    return list;
  }),
  change("subscribers/create", (call, params) => {
    const list = namedList(call, params);
    beginListTie(call.sandbox, "follower", list, userOf(call.caller).id);
    return list;
  }),
  change("subscribers/destroy", (call, params) => {
    const list = namedList(call, params);
    endListTie(call.sandbox, "follower", list.id, userOf(call.caller).id);
    return list;
  }),
  writing("destroy", (call) => {
    const params = new LegacyParameters(call);
    const list = ownNamedList(call, params);
    const response = legacyBody(renderLegacyList(viewOf(call, params), list));
    deleteList(call.sandbox, list);
    return response;
  }),
];

function change(name: string, apply: Change): Route {
  return writing(name, (call) => {
    const params = new LegacyParameters(call);
    const { id } = apply(call, params);
    const list = lists.in(call.sandbox.world).get(id);
    if (list === undefined) throw coded("pageMissing");
    return legacyBody(renderLegacyList(viewOf(call, params), list));
  });
}

function writing(name: string, handle: (call: RouteCall) => RouteResponse): Route {
  return {
    method: "POST",
    path: `/1.1/lists/${name}.json`,
    ledger: LEGACY,
    auth: ["oauth1"],
    level: "read-write",
    limits: { user: 300 },
    handle,
  };
}

/** Reads name, description and mode of a list. @throws {ApiError} 400, code 44. */
function detailsOf(params: LegacyParameters): ListDetails {
  const [name, description] = [params.text("name"), params.text("description")];
  const mode = params.text("mode");
  if (Array.from(name ?? "").length > NAME_LENGTH) throw badParameter("name");
  if (Array.from(description ?? "").length > DESCRIPTION_LENGTH) throw badParameter("description");
  return { name, description, private: mode === undefined ? undefined : mode === "private" };
}
