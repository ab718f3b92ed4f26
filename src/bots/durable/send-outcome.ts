import * as z from "zod";

const reason = z.string().exactOptional();

/** The schema of {@link SendOutcome}. */
export const sendOutcome = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("sent"),
    id: z.string().exactOptional(),
    ids: z.array(z.string()).readonly().exactOptional(),
    text: z.string().exactOptional(),
    at: z.number(),
  }),
  z.object({ status: z.enum(["failed", "expired", "held", "unknown", "pending"]), reason }),
]);

/**
 * What has become of an action.
 *
 * `sent`: the platform has taken it; `id` is that of the message or post that it made, where it made one and not a
 * dry run, `text` what it says, `at` when, in milliseconds since the epoch. `failed`, `expired`: it was refused,
 * or its time was over. `held`: one answer too many, or one for after quiet hours. `unknown`: it left, and nobody knows yet
 * whether it arrived. `pending`: it is still on its way. `reason` says why.
 */
export type SendOutcome =
  | {
      readonly status: "sent";
      readonly id?: string;
      /** Ids of the posts of a thread, the first one first. Absent where it is one post or message. */
      readonly ids?: readonly string[];
      readonly text?: string;
      readonly at: number;
    }
  | {
      readonly status: "failed" | "expired" | "held" | "unknown" | "pending";
      readonly reason?: string;
    };
