import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  type UserRelation,
  isRelated,
  type RelationshipKind,
  relationshipKey,
  relationships,
  type UserRow,
} from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";

/** Kind of the activity that is emitted when a relation ends, by relation. */
const END_EVENT = {
  follow: "unfollow",
  block: "unblock",
  mute: "unmute",
} as const satisfies Record<UserRelation, string>;

/** Begins a follow, block or mute, and emits an activity. Returns its id; if the relation exists, an unused id. */
export function beginRelation(
  sandbox: Sandbox,
  kind: UserRelation,
  from: UserRow,
  to: UserRow,
): string {
  const { world } = sandbox;
  const table = relationships.in(world);
  if (isRelated(world, kind, from.id, to.id)) return world.ids.next();
  putRelationship(sandbox, kind, from.id, to.id);
  if (kind === "follow") table.delete(relationshipKey("request", from.id, to.id));
  // A block ends follows in both directions.
  if (kind === "block") {
    for (const [one, other] of [
      [from.id, to.id],
      [to.id, from.id],
    ] as const) {
      table.delete(relationshipKey("follow", one, other));
      table.delete(relationshipKey("request", one, other));
    }
  }
  return emit(sandbox, { kind, by: from.id, to: to.id, involved: [from.id, to.id] });
}

/** Ends a relation and emits an activity. Returns the activity's id; if there was no relation, an unused id. */
export function endRelation(
  sandbox: Sandbox,
  kind: UserRelation,
  from: UserRow,
  to: UserRow,
): string {
  if (!relationships.in(sandbox.world).delete(relationshipKey(kind, from.id, to.id)))
    return sandbox.world.ids.next();
  return emit(sandbox, {
    kind: END_EVENT[kind],
    by: from.id,
    to: to.id,
    involved: [from.id, to.id],
  });
}

/** Stores a relationship of any kind without emitting an activity. */
export function putRelationship(
  { world, time }: Sandbox,
  kind: RelationshipKind,
  from: string,
  to: string,
): void {
  const table = relationships.in(world);
  if (table.get(relationshipKey(kind, from, to)) !== undefined) return;
  table.put({ kind, seq: world.ids.next(), from, to, at: time.now() });
}

/** Deletes a relationship without emitting an activity. Returns whether the relationship existed. */
export function removeRelationship(
  { world }: Sandbox,
  kind: RelationshipKind,
  from: string,
  to: string,
): boolean {
  return relationships.in(world).delete(relationshipKey(kind, from, to));
}

/** Result of a follow, with the id of its activity; an unused id if there is no new follow. */
export interface FollowResult {
  readonly id: string;
  /** Whether the follow waits until the other user accepts it. */
  readonly isPending: boolean;
}

/**
 * Follows a user, or requests to follow a user with protected posts.
 *
 * @throws {ApiError} 403 if one blocks the other, or if both are the same user.
 */
export function follow(sandbox: Sandbox, from: UserRow, to: UserRow): FollowResult {
  const { world } = sandbox;
  refuseSelf(from, to, "follow");
  if (isRelated(world, "block", to.id, from.id)) {
    throw ApiError.forbidden(
      "You have been blocked from following this account at the request of the user.",
      { v1: 162 },
    );
  }
  if (isRelated(world, "block", from.id, to.id)) {
    throw ApiError.forbidden("You have blocked this account. End the block before you follow it.");
  }
  if (to.profile["protected"] === true && !isRelated(world, "follow", from.id, to.id)) {
    putRelationship(sandbox, "request", from.id, to.id);
    return { id: world.ids.next(), isPending: true };
  }
  return { id: beginRelation(sandbox, "follow", from, to), isPending: false };
}

/** Ends a follow, or withdraws the request to follow. Returns an id as {@link endRelation} does. */
export function unfollow(sandbox: Sandbox, from: UserRow, to: UserRow): string {
  removeRelationship(sandbox, "request", from.id, to.id);
  return endRelation(sandbox, "follow", from, to);
}

/**
 * Accepts or refuses a request to follow; accepting begins the follow.
 *
 * @throws {ApiError} 400 if there is no request.
 */
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

/** Refuses a relation of a user to themself. @throws {ApiError} 403 if both users are the same. */
export function refuseSelf(from: UserRow, to: UserRow, verb: string): void {
  if (from.id === to.id) throw ApiError.forbidden(`You cannot ${verb} yourself.`);
}
