import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { isRelated, type UserRow } from "../model/accounts.ts";
import {
  beginRelation,
  endRelation,
  putRelationship,
  removeRelationship,
} from "./relationships.ts";

/**
 * Follows a user, or asks to where their posts are protected.
 *
 * @throws {ApiError} 403 where the user blocks the follower, or follows themself.
 */
export function follow(
  sandbox: Sandbox,
  from: UserRow,
  to: UserRow,
): { following: boolean; pending_follow: boolean } {
  const { world } = sandbox;
  refuseSelf(from, to, "follow");
  if (isRelated(world, "block", to.id, from.id)) {
    throw ApiError.forbidden(
      "You have been blocked from following this account at the request of the user.",
      { v1: 162 },
    );
  }
  if (to.profile["protected"] === true && !isRelated(world, "follow", from.id, to.id)) {
    putRelationship(sandbox, "request", from.id, to.id);
    return { following: false, pending_follow: true };
  }
  beginRelation(sandbox, "follow", from, to);
  return { following: true, pending_follow: false };
}

/** Ends a follow, or withdraws the request to follow. */
export function unfollow(sandbox: Sandbox, from: UserRow, to: UserRow): void {
  removeRelationship(sandbox, "request", from.id, to.id);
  endRelation(sandbox, "follow", from, to);
}

/** @throws {ApiError} 400 where there is no request; accepting one begins the follow. */
export function answerFollowRequest(
  sandbox: Sandbox,
  to: UserRow,
  from: UserRow,
  accept: boolean,
): void {
  if (!removeRelationship(sandbox, "request", from.id, to.id)) {
    throw ApiError.control(400, "no_request", `User ${from.id} has not asked to follow ${to.id}.`);
  }
  if (accept) beginRelation(sandbox, "follow", from, to);
}

/** @throws {ApiError} 403. */
export function refuseSelf(from: UserRow, to: UserRow, verb: string): void {
  if (from.id === to.id) throw ApiError.forbidden(`You cannot ${verb} yourself.`);
}
