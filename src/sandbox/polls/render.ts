import type { Reader } from "../fields/reader.ts";
import { pick } from "../fields/selection.ts";
import { type Poll, votes } from "./entities.ts";

/** When a poll closes, in milliseconds since the Unix epoch. */
export function closesAt(poll: Poll): number {
  return poll.at + poll.minutes * 60_000;
}

export function renderPoll(
  { world, now }: Reader,
  poll: Poll,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  return pick("poll", selected, {
    id: () => poll.id,
    options: () =>
      poll.options.map((label, at) => ({
        position: at + 1,
        label,
        votes: votes.in(world).count("option", `${poll.id}:${at + 1}`),
      })),
    duration_minutes: () => poll.minutes,
    end_datetime: () => new Date(closesAt(poll)).toISOString(),
    voting_status: () => (now < closesAt(poll) ? "open" : "closed"),
  });
}
