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
 * `sent`: the platform has accepted the action. `id` is the id of the created message or post (absent in a dry run),
 * `text` its text, `result` the platform's response, and `at` the time in milliseconds since the epoch. `failed`: the
 * action was refused. `expired`: the action could not be sent in time. `held`: a limit of answers or quiet hours hold
 * the action back. `unknown`: the platform has not confirmed the request. `pending`: the action is still in progress.
 * `reason` explains all states except `sent`.
 */
export type SendOutcome =
  | {
      readonly status: "sent";
      readonly id?: string;
      /** Ids of all posts or messages, in order, if the text was sent in several; otherwise absent. */
      readonly ids?: readonly string[];
      readonly text?: string;
      /**
       * The platform's response in the form that rules read as `steps.ID.result`:
       * `{ following: true, pending_follow: false }`.
       */
      readonly result?: ActionResult;
      readonly at: number;
    }
  | {
      readonly status: "failed" | "expired" | "held" | "unknown" | "pending";
      readonly reason?: string;
    };
