import type { RenderContext } from "../data-query/render-context.ts";
import { pick } from "../data-query/selection.ts";
import { type PollRow, votes } from "./entities.ts";

/** When a poll closes, in milliseconds since the Unix epoch. */
export function closesAt(poll: PollRow): number {
  return poll.at + poll.minutes * 60_000;
}

export function renderPoll(
  { world, now }: RenderContext,
  poll: PollRow,
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
