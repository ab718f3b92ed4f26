import type { RelationshipKind, UserRow } from "../../../model/accounts.ts";
import { relatedUsers } from "../../../accounts/lists.ts";
import { wireInt } from "../../../rendering/events/wire.ts";
import { userOf } from "../../../auth/caller.ts";
import type { ListPage } from "../../../kernel/world/paging.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { LEGACY } from "../../ledger.ts";
import { personInStatus } from "../render-status.ts";
import { cursorOf, cursorsOf } from "../cursors.ts";
import { readablePerson } from "../find.ts";
import { LegacyParameters } from "../parameters.ts";
import { renderPerson } from "../render-person.ts";
import { legacyBody } from "../respond.ts";
import { viewOf } from "../status-view.ts";

const ID_COUNTS = { max: 5_000, fallback: 5_000 };
const PEOPLE_COUNTS = { max: 200, fallback: 20 };

/** Kind and direction of the listed relations, and a function that finds the person whose relations are listed. */
interface Listed {
  readonly kind: RelationshipKind;
  readonly side: "from" | "to";
  readonly of: (call: RouteCall, params: LegacyParameters) => UserRow;
}

const ofAnybody = {
  ledger: LEGACY,
  auth: ["oauth1", "bearer"],
  limits: { app: 15, user: 15 },
} as const;
const ofOneself = { ledger: LEGACY, auth: ["oauth1"], limits: { user: 15 } } as const;

/** Routes that list the follows, followers, blocks and mutes of a person, as ids or as people. */
export const relationListRoutes: readonly Route[] = [
  ...listRoutes("friends", ofAnybody, { kind: "follow", side: "from", of: readablePerson }),
  ...listRoutes("followers", ofAnybody, { kind: "follow", side: "to", of: readablePerson }),
  ...listRoutes("blocks", ofOneself, { kind: "block", side: "from", of: oneself }),
  ...listRoutes("mutes/users", ofOneself, { kind: "mute", side: "from", of: oneself }),
  requestRoute("incoming", { kind: "request", side: "to", of: oneself }),
  requestRoute("outgoing", { kind: "request", side: "from", of: oneself }),
];

/** Creates the route that lists the ids of people with an open request to follow. */
function requestRoute(name: string, listed: Listed): Route {
  const path = `/1.1/friendships/${name}.json`;
  return { ...ofOneself, method: "GET", path, handle: (call) => ids(call, listed) };
}

function listRoutes(
  family: string,
  access: Pick<Route, "auth" | "ledger" | "limits">,
  listed: Listed,
): Route[] {
  const reading = { ...access, method: "GET" } as const;
  return [
    { ...reading, path: `/1.1/${family}/ids.json`, handle: (call) => ids(call, listed) },
    { ...reading, path: `/1.1/${family}/list.json`, handle: (call) => people(call, listed) },
  ];
}

function oneself({ caller }: RouteCall): UserRow {
  return userOf(caller);
}

function ids(call: RouteCall, listed: Listed): RouteResponse {
  const params = new LegacyParameters(call);
  const page = pageFor(call, params, listed, ID_COUNTS);
  const asText = params.flag("stringify_ids");
  return legacyBody({
    ids: page.items.map(({ id }) => (asText ? id : wireInt(id))),
    ...cursorsOf(page),
  });
}

function people(call: RouteCall, listed: Listed): RouteResponse {
  const params = new LegacyParameters(call);
  const page = pageFor(call, params, listed, PEOPLE_COUNTS);
  const view = viewOf(call, params);
  const render = params.flag("skip_status") ? personInStatus : renderPerson;
  return legacyBody({ users: page.items.map((user) => render(view, user)), ...cursorsOf(page) });
}

function pageFor(
  call: RouteCall,
  params: LegacyParameters,
  { kind, side, of }: Listed,
  counts: { max: number; fallback: number },
): ListPage<UserRow> {
  const { id: userId } = of(call, params);
  const request = { size: params.count(counts), cursor: cursorOf(params) };
  return relatedUsers(call.sandbox.world, { kind, side, userId }, request);
}
