import * as z from "zod";
import { defineTable } from "../kernel/table.ts";

const pollSchema = z.strictObject({
  id: z.string(),
  options: z.array(z.string()),
  minutes: z.number(),
  at: z.number(),
});

/** A poll attached to a post; it is closed once its minutes are over. */
export type Poll = z.infer<typeof pollSchema>;

export const polls = defineTable({
  name: "polls",
  schema: pollSchema,
  key: (row) => row.id,
  indexes: {},
});

/** Who voted for what; one vote a user and poll. */
export const votes = defineTable({
  name: "votes",
  schema: z.strictObject({
    pollId: z.string(),
    userId: z.string(),
    /** 1 for the first option. */
    position: z.number(),
  }),
  key: (row) => `${row.pollId}:${row.userId}`,
  indexes: { option: (row) => `${row.pollId}:${row.position}` },
});
