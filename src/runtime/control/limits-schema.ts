import * as z from "zod";

/** Remaining budgets of the platform's rate limits, and states of the circuit breakers. */
export const limitsAnswer = z.object({
  /** Rate limits that a response of the platform has reported, or that the bot counts itself. */
  budgets: z
    .array(
      z.object({
        endpoint: z.string(),
        /** User id of the account. Absent: the limit is the app's. */
        account: z.string().exactOptional(),
        /** Length of the window in milliseconds. */
        windowMs: z.number(),
        limit: z.number(),
        remaining: z.number(),
      }),
    )
    .readonly(),
  /** Endpoints with a circuit breaker. While a circuit is open, the endpoint receives only occasional probes. */
  circuits: z
    .array(
      z.object({
        endpoint: z.string(),
        /** User id of the account. Absent: the circuit applies to all accounts. */
        account: z.string().exactOptional(),
        isOpen: z.boolean(),
      }),
    )
    .readonly(),
});
