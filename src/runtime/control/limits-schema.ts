import * as z from "zod";

/** What the platform's limits leave. Accounts are user ids. */
export const limitsAnswer = z.object({
  /** Of each limit that an answer has told of, or that is counted here. */
  budgets: z
    .array(
      z.object({
        endpoint: z.string(),
        /** Absent: a limit of the app. */
        account: z.string().exactOptional(),
        /** Milliseconds. */
        windowMs: z.number(),
        limit: z.number(),
        remaining: z.number(),
      }),
    )
    .readonly(),
  /** Endpoints that a request came by; open: only a probe goes there now and then. */
  circuits: z
    .array(
      z.object({
        endpoint: z.string(),
        /** Absent: for everybody. */
        account: z.string().exactOptional(),
        isOpen: z.boolean(),
      }),
    )
    .readonly(),
});
