import * as z from "zod";
import { type ActionResult, actionResult } from "../../actions/action-result.ts";

const reason = z.string().exactOptional();

/** The schema of {@link SendOutcome}. */
export const sendOutcome = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("sent"),
    id: z.string().exactOptional(),
    ids: z.array(z.string()).readonly().exactOptional(),
    text: z.string().exactOptional(),
    result: actionResult.exactOptional(),
    at: z.number(),
  }),
  z.object({ status: z.enum(["failed", "expired", "held", "unknown", "pending"]), reason }),
]);

/**
 * Outcome of an action.
 *
 * `sent`: the platform has accepted it. `id` is the id of the created message or post, absent in a dry run; `text` is
 * its text, `result` the platform's answer, `at` the time in milliseconds since the epoch. `failed`: it was refused.
 * `expired`: it was too late. `held`: a limit of answers or quiet hours hold it back. `unknown`: it was sent without
 * confirmation. `pending`: it is still in progress. `reason` has the reason.
 */
export type SendOutcome =
  | {
      readonly status: "sent";
      readonly id?: string;
      /** Ids of the posts of a thread in order; absent for a single post or message. */
      readonly ids?: readonly string[];
      readonly text?: string;
      /** The answer as rules read it in `steps.ID.result`: `{ following: true, pending_follow: false }`. */
      readonly result?: ActionResult;
      readonly at: number;
    }
  | {
      readonly status: "failed" | "expired" | "held" | "unknown" | "pending";
      readonly reason?: string;
    };
