import * as z from "zod";

const handleOrId = z.string().min(1);

/** An account for which nothing is decided and nothing sent; all, where none is named. */
export const pausedAccount = z.object({
  /** User id. */
  account: z.string().exactOptional(),
  /** Its handle, without `@`. */
  username: z.string().exactOptional(),
  /** ISO 8601, by the platform's clock. */
  since: z.string(),
});

/** Answers to one person that are held back. */
export const heldAnswersOf = z.object({
  /** User id of the account that would answer. */
  account: z.string(),
  /** User id of the person. */
  person: z.string(),
  /** The person's handle, without `@`, where it is known. */
  username: z.string().exactOptional(),
  lane: z.string(),
  /** How many; at least so many, where more than a thousand are held back in all. */
  items: z.number(),
  /** Since when, as ISO 8601 by the platform's clock. */
  since: z.string(),
  reason: z.string(),
});

/** Nothing has changed: why, and what to do instead. */
const refused = z.object({ done: z.literal(false), reason: z.string(), hint: z.string() });

/** Which account is to be paused: its handle or user id; all, where none is named. */
export const pauseRequest = z.strictObject({ account: handleOrId.exactOptional() });

/** What is paused by now. */
export const pauseAnswer = z.discriminatedUnion("done", [
  z.object({
    done: z.literal(true),
    /** `false`: it was so already. */
    changed: z.boolean(),
    paused: z.array(pausedAccount).readonly(),
  }),
  refused,
]);

/**
 * What is to go on: an account; all accounts, where neither is named; or the answers that are held back for
 * a person and the bot's answers to what they write, by all accounts unless one is named.
 */
export const resumeRequest = z.strictObject({
  account: handleOrId.exactOptional(),
  person: handleOrId.exactOptional(),
  /** Gives up the answers that are held back, instead of sending them. */
  drop: z.boolean().default(false),
});

/** What goes on by now. */
export const resumeAnswer = z.discriminatedUnion("done", [
  z.object({
    done: z.literal(true),
    /** `false`: nothing was paused. */
    changed: z.boolean(),
    paused: z.array(pausedAccount).readonly(),
    /** How many answers were let go or given up. */
    items: z.number(),
    /** Ids of the hand-overs that kept the bot silent for the person, and are resolved now; absent: there was none. */
    escalations: z.array(z.number()).readonly().exactOptional(),
  }),
  refused,
]);
