import * as z from "zod";
import type { UserRow } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type PollRow, polls, votes, closesAt } from "../model/polls.ts";

export const voteInput = z.strictObject({
  user_id: z.string(),
  position: z.int().min(1).max(4).describe("Number of the option; the first one is 1."),
});

/** Opens a poll. */
export function createPoll(
  { world, time }: Sandbox,
  options: readonly string[],
  minutes: number,
): PollRow {
  return polls
    .in(world)
    .put({ id: world.ids.next(), options: [...options], minutes, at: time.now() });
}

/**
 * Stores a user's vote.
 *
 * @throws {ApiError} 400 if the poll is closed or lacks the option, or the user has voted already.
 */
export function vote(sandbox: Sandbox, poll: PollRow, user: UserRow, position: number): void {
  const { world, time } = sandbox;
  if (time.now() >= closesAt(poll)) {
    throw ApiError.control(400, "poll_closed", `Poll ${poll.id} is closed.`);
  }
  if (position > poll.options.length) {
    throw ApiError.control(
      400,
      "invalid_request",
      `position: poll ${poll.id} has ${poll.options.length} options`,
    );
  }
  if (votes.in(world).get(`${poll.id}:${user.id}`) !== undefined) {
    throw ApiError.control(400, "already_voted", `User ${user.id} has voted in poll ${poll.id}.`);
  }
  votes.in(world).put({ pollId: poll.id, userId: user.id, position });
}
