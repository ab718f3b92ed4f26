import { type UserRow, users } from "../../model/accounts.ts";
import {
  hiddenAuthorReason,
  hiddenUserReason,
  hiddenPostReason,
} from "../../model/hidden-reason.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { RouteCall } from "../../server/route.ts";
import { type PostRow, posts } from "../../model/posts.ts";
import { coded } from "./coded-errors.ts";
import type { LegacyParameters } from "./parameters.ts";

/** Finds a status that the caller may see. @throws {ApiError} 404, code 144, or 403, code 63 or 179. */
export function findStatus({ sandbox, caller }: RouteCall, id: string): PostRow {
  const { world } = sandbox;
  const post = posts.in(world).get(id);
  const reason = hiddenPostReason(world, "user" in caller ? caller.user.id : undefined, post);
  if (reason === undefined && post !== undefined) return post;
  if (reason === "suspended") throw coded("userSuspended");
  throw coded(reason === "protected" || reason === "blocked" ? "statusHidden" : "statusMissing");
}

/** Finds a status as {@link findStatus} does; for a repost, returns the original. */
export function findOriginal(call: RouteCall, id: string): PostRow {
  const post = findStatus(call, id);
  return post.repostOf === undefined
    ? post
    : (posts.in(call.sandbox.world).get(post.repostOf) ?? post);
}

/** Names of the parameters that identify a person. */
export interface PersonNames {
  readonly id: string;
  readonly name: string;
}

const ANYBODY: PersonNames = { id: "user_id", name: "screen_name" };

/**
 * Finds the person that a request names, if it names one.
 *
 * @throws {ApiError} 404, code 50; 403, code 63.
 */
export function namedPerson(
  { sandbox: { world } }: RouteCall,
  params: LegacyParameters,
  { id, name }: PersonNames = ANYBODY,
): UserRow | undefined {
  const wanted = params.id(id);
  const named = params.text(name)?.replace(/^@/, "").toLowerCase();
  if (wanted === undefined && named === undefined) return undefined;
  const user =
    wanted === undefined
      ? users.in(world).first("username", named ?? "")
      : users.in(world).get(wanted);
  const reason = hiddenUserReason(user);
  if (reason === undefined && user !== undefined) return user;
  throw coded(reason === "suspended" ? "userSuspended" : "userMissing");
}

/** Finds the person that a request must name. @throws {ApiError} 400, code 25; 404, code 50; 403, code 63. */
export function requiredPerson(call: RouteCall, params: LegacyParameters): UserRow {
  const person = namedPerson(call, params);
  if (person === undefined) throw coded("missing");
  return person;
}

/** Finds people by up to `max` ids, then by up to `max` handles. Unknown ids and handles are skipped. */
export function namedPeople(
  { sandbox: { world } }: RouteCall,
  params: LegacyParameters,
  max: number,
): UserRow[] {
  const table = users.in(world);
  const byId = params.list("user_id", max).flatMap((id) => table.get(id) ?? []);
  const byName = params
    .list("screen_name", max)
    .flatMap((name) => table.first("username", name.replace(/^@/, "").toLowerCase()) ?? []);
  return [...new Set([...byId, ...byName])];
}

/**
 * Finds the person whose posts, lists or relations a request reads: by default the caller.
 *
 * @throws {ApiError} 401 if the person is hidden from the caller; other errors as {@link requiredPerson}.
 */
export function readablePerson(call: RouteCall, params: LegacyParameters): UserRow {
  const { caller, path, sandbox } = call;
  const self = "user" in caller ? caller.user : undefined;
  const person = namedPerson(call, params) ?? self;
  if (person === undefined) throw coded("missing");
  const reason = hiddenAuthorReason(sandbox.world, self?.id, person.id);
  if (reason === undefined) return person;
  if (reason === "blocked") throw coded("blockedFromUser");
  // Here the live service sends a text as `error`, without the usual list of error codes.
  throw new ApiError({
    status: 401,
    code: "not_authorized",
    message: "Not authorized.",
    raw: { request: path, error: "Not authorized." },
  });
}
