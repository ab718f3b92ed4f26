import { isRelated, type UserRow, users, acceptsMessagesFrom } from "../../../model/accounts.ts";
import {
  follow,
  refuseSelf,
  unfollow,
  beginRelation,
  endRelation,
} from "../../../accounts/relationships.ts";
import { peopleFound } from "../../../accounts/people-found.ts";
import { hiddenUserReason } from "../../../model/hidden-reason.ts";
import { wireInt } from "../../../rendering/events/wire.ts";
import { userOf } from "../../../auth/caller.ts";
import { ApiError } from "../../../kernel/http/api-error.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { LEGACY } from "../../ledger.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { namedPerson, requiredPerson } from "../find.ts";
import { LegacyParameters } from "../parameters.ts";
import { renderPerson } from "../render-person.ts";
import { viewOf } from "../status-view.ts";
import { legacyBody } from "../respond.ts";

const MAX_PEOPLE = 100;
const FOUND = { max: 20, fallback: 20 };

const reading = { ledger: LEGACY, auth: ["oauth1", "bearer"] } as const;
const following = {
  ledger: LEGACY,
  auth: ["oauth1"],
  level: "read-write",
  limits: { userDay: 400 },
} as const;

/** Routes for users and friendships. */
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
  {
    ...following,
    method: "POST",
    path: "/1.1/friendships/create.json",
    handle: (call) => {
      const [user, other] = [userOf(call.caller), requiredPerson(call, new LegacyParameters(call))];
      if (user.id === other.id) throw coded("followsSelf");
      if (isRelated(call.sandbox.world, "request", user.id, other.id)) throw alreadyAsked(other);
      follow(call.sandbox, user, other);
      return shown(call, other);
    },
  },
  {
    ...following,
    method: "POST",
    path: "/1.1/friendships/destroy.json",
    handle: (call) => {
      const other = requiredPerson(call, new LegacyParameters(call));
      unfollow(call.sandbox, userOf(call.caller), other);
      return shown(call, other);
    },
  },
  {
    ...reading,
    method: "GET",
    path: "/1.1/friendships/show.json",
    limits: { app: 15, user: 180 },
    handle: friendship,
  },
];

function shown(call: RouteCall, person: UserRow): RouteResponse {
  return legacyBody(renderPerson(viewOf(call, new LegacyParameters(call)), person));
}

/** Creates the two routes that begin and end a relation. */
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

function alreadyAsked({ username }: UserRow): ApiError {
  return ApiError.forbidden(`You've already requested to follow ${username}.`, { v1: 160 });
}

/** Returns the existing people among the named ids, then names. @throws {ApiError} 404, code 17, for none. */
function lookup(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const table = users.in(call.sandbox.world);
  const ids = params.list("user_id", MAX_PEOPLE).map((id) => table.get(id));
  const names = params
    .list("screen_name", MAX_PEOPLE)
    .map((name) => table.first("username", name.replace(/^@/, "").toLowerCase()));
  const visiblePeople = new Set(
    [...ids, ...names].filter((user) => user !== undefined && hiddenUserReason(user) === undefined),
  );
  if (visiblePeople.size === 0) throw coded("noUserMatches");
  const view = viewOf(call, params);
  return legacyBody(
    [...visiblePeople]
      .slice(0, MAX_PEOPLE)
      .flatMap((user) => (user === undefined ? [] : [renderPerson(view, user)])),
  );
}

/** Returns the relations between two people; the source is the caller by default. */
function friendship(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const { world } = call.sandbox;
  const self = "user" in call.caller ? call.caller.user : undefined;
  const source = namedPerson(call, params, { id: "source_id", name: "source_screen_name" }) ?? self;
  const target = namedPerson(call, params, { id: "target_id", name: "target_screen_name" });
  if (source === undefined || target === undefined) throw coded("missing");
  const to = (kind: Relation): boolean => isRelated(world, kind, source.id, target.id);
  const from = (kind: Relation): boolean => isRelated(world, kind, target.id, source.id);
  return legacyBody({
    relationship: {
      source: {
        ...nameOf(source),
        following: to("follow"),
        followed_by: from("follow"),
        live_following: false,
        following_received: from("request"),
        following_requested: to("request"),
        notifications_enabled: false,
        can_dm: acceptsMessagesFrom(world, source.id, target),
        blocking: to("block"),
        blocked_by: from("block"),
        muting: to("mute"),
        want_retweets: to("follow"),
        all_replies: false,
        marked_spam: false,
      },
      target: {
        ...nameOf(target),
        following: from("follow"),
        followed_by: to("follow"),
        following_received: to("request"),
        following_requested: from("request"),
      },
    },
  });
}

type Relation = "follow" | "request" | "block" | "mute";

function nameOf({ id, username }: UserRow): object {
  return { id: wireInt(id), id_str: id, screen_name: username };
}
