import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { tied, type User } from "./entities.ts";
import { begin, end, tie, untie } from "./ties.ts";

/**
 * Follows a user, or asks to where their posts are protected.
 *
 * @throws {Refusal} 403 where the user blocks the follower, or follows themself.
 */
export function follow(
  sandbox: Sandbox,
  from: User,
  to: User,
): { following: boolean; pending_follow: boolean } {
  const { world } = sandbox;
  refuseSelf(from, to, "follow");
  if (tied(world, "block", to.id, from.id)) {
    throw Refusal.forbidden(
      "You have been blocked from following this account at the request of the user.",
      { v1: 162 },
    );
  }
  if (to.profile["protected"] === true && !tied(world, "follow", from.id, to.id)) {
    tie(sandbox, "request", from.id, to.id);
    return { following: false, pending_follow: true };
  }
  begin(sandbox, "follow", from, to);
  return { following: true, pending_follow: false };
}

/** Ends a follow, or takes back the request to. */
export function unfollow(sandbox: Sandbox, from: User, to: User): void {
  untie(sandbox, "request", from.id, to.id);
  end(sandbox, "follow", from, to);
}

/** @throws {Refusal} 400 where there is no request; accepting one begins the follow. */
export function answerRequest(sandbox: Sandbox, to: User, from: User, accept: boolean): void {
  if (!untie(sandbox, "request", from.id, to.id)) {
    throw Refusal.control(400, "no_request", `User ${from.id} has not asked to follow ${to.id}.`);
  }
  if (accept) begin(sandbox, "follow", from, to);
}

/** @throws {Refusal} 403. */
export function refuseSelf(from: User, to: User, verb: string): void {
  if (from.id === to.id) throw Refusal.forbidden(`You cannot ${verb} yourself.`);
}
