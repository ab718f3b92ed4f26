import { type PollRow, votes, closesAt } from "../model/polls.ts";
import type { RenderContext } from "./render-context.ts";
import { pick } from "./selection.ts";

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
