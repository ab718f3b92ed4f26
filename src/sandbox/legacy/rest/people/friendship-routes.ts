import { acceptsMessagesFrom, isRelated, type UserRow } from "../../../model/accounts.ts";
import { hiddenUserReason } from "../../../model/hidden-reason.ts";
import { follow, unfollow } from "../../../accounts/relationships.ts";
import { wireInt } from "../../../rendering/events/wire.ts";
import { userOf } from "../../../auth/caller.ts";
import { ApiError } from "../../../kernel/http/api-error.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { LEGACY } from "../../ledger.ts";
import { coded } from "../coded-errors.ts";
import { namedPeople, namedPerson, requiredPerson } from "../find.ts";
import { LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";
import { shown } from "./person-routes.ts";

const MAX_PEOPLE = 100;

const reading = { ledger: LEGACY, auth: ["oauth1", "bearer"] } as const;
const following = {
  ledger: LEGACY,
  auth: ["oauth1"],
  level: "read-write",
  limits: { userDay: 400 },
} as const;

/** Routes for friendships: follows and their requests. */
export const friendshipRoutes: readonly Route[] = [
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
  {
    ...reading,
    auth: ["oauth1"],
    method: "GET",
    path: "/1.1/friendships/lookup.json",
    limits: { user: 15 },
    handle: friendships,
  },
];

/** Returns the relations of the caller to up to a hundred people, in the order of the request. */
function friendships(call: RouteCall): RouteResponse {
  const { world } = call.sandbox;
  const { id: me } = userOf(call.caller);
  const people = namedPeople(call, new LegacyParameters(call), MAX_PEOPLE).filter(
    (person) => hiddenUserReason(person) === undefined,
  );
  return legacyBody(
    people.map((person) => {
      const connections = CONNECTIONS.filter(({ kind, isOutward }) =>
        isOutward ? isRelated(world, kind, me, person.id) : isRelated(world, kind, person.id, me),
      ).map(({ name }) => name);
      return {
        name: person.name,
        ...nameOf(person),
        connections: connections.length === 0 ? ["none"] : connections,
      };
    }),
  );
}

/** Words that `connections` contains for the caller's relations to a person, in the order of the live service. */
const CONNECTIONS = [
  { name: "following", kind: "follow", isOutward: true },
  { name: "following_requested", kind: "request", isOutward: true },
  { name: "followed_by", kind: "follow", isOutward: false },
  { name: "following_received", kind: "request", isOutward: false },
  { name: "blocking", kind: "block", isOutward: true },
  { name: "muting", kind: "mute", isOutward: true },
] as const;

function alreadyAsked({ username }: UserRow): ApiError {
  return ApiError.forbidden(`You've already requested to follow ${username}.`, { v1: 160 });
}

/** Returns the relations between two people, `source` and `target`; by default the caller is the source. */
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
