import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const pollSchema = z.strictObject({
  id: z.string(),
  options: z.array(z.string()),
  minutes: z.number(),
  at: instant,
});

/** A poll attached to a post; it closes after its duration in minutes. */
export type PollRow = z.infer<typeof pollSchema>;

export const polls = defineTable({
  name: "polls",
  schema: pollSchema,
  key: (row) => row.id,
  indexes: {},
});

/** Votes; one per user and poll. */
export const votes = defineTable({
  name: "votes",
  schema: z.strictObject({
    pollId: z.string(),
    userId: z.string(),
    /** Position of the chosen option; 1 for the first. */
    position: z.number(),
  }),
  key: (row) => `${row.pollId}:${row.userId}`,
  indexes: { option: (row) => `${row.pollId}:${row.position}` },
});

/** Returns the time at which a poll closes, in milliseconds since the Unix epoch. */
export function closesAt(poll: PollRow): number {
  return poll.at + poll.minutes * 60_000;
}
