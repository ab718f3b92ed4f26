import * as z from "zod";

const handleOrId = z.string().min(1);

/**
 * Paused account: rules and bots decide nothing for it, and nothing is sent. Without `account`, all accounts are
 * paused.
 */
export const pausedAccount = z.object({
  /** User id. */
  account: z.string().exactOptional(),
  /** Handle of the account, without `@`. */
  username: z.string().exactOptional(),
  /** Time in ISO 8601, by the platform's clock. */
  since: z.string(),
});

/** Account in which rules and bots are silent in all conversations, because of an escalation. */
export const silencedAccount = z.object({
  /** User id. */
  account: z.string(),
  /** Handle of the account, without `@`. */
  username: z.string(),
  /** Id of the escalation. Resolving it ends the silence. */
  escalation: z.number(),
  /** End of the silence in ISO 8601, by the platform's clock. Absent: the silence lasts until the escalation is resolved. */
  until: z.string().exactOptional(),
});

/** Answers to one person that are not sent until an operator releases or drops them. */
export const heldAnswersOf = z.object({
  /** User id of the account that would answer. */
  account: z.string(),
  /** User id of the person. */
  person: z.string(),
  /** The person's handle, without `@`; absent if unknown. */
  username: z.string().exactOptional(),
  lane: z.string(),
  /** Number of answers; a lower bound if more than a thousand are held back in all. */
  items: z.number(),
  /** Start of the hold, as ISO 8601 by the platform's clock. */
  since: z.string(),
  reason: z.string(),
});

/** Refusal: nothing has changed. Has the reason and a hint. */
const refused = z.object({ done: z.literal(false), reason: z.string(), hint: z.string() });

/** Account to pause: its handle or user id; absent: all accounts. */
export const pauseRequest = z.strictObject({ account: handleOrId.exactOptional() });

/** Result of a pause: the accounts that are paused now. */
export const pauseAnswer = z.discriminatedUnion("done", [
  z.object({
    done: z.literal(true),
    /** Whether the pause is new. If not, the account was paused already. */
    changed: z.boolean(),
    paused: z.array(pausedAccount).readonly(),
  }),
  refused,
]);

/**
 * Target to resume: an account, or all accounts if neither field is set. With `person`, the answers held back for that
 * person are released, and the bot answers the person's new messages again. That applies to `account`, or to all
 * accounts without it.
 */
export const resumeRequest = z.strictObject({
  account: handleOrId.exactOptional(),
  person: handleOrId.exactOptional(),
  /** Drops the answers that are held back for `person`, instead of sending them. Refused without `person`. */
  drop: z.boolean().default(false),
});

/** Result of a resume: the accounts that are still paused. */
export const resumeAnswer = z.discriminatedUnion("done", [
  z.object({
    done: z.literal(true),
    /** Whether a pause has ended. If not, nothing was paused. */
    changed: z.boolean(),
    paused: z.array(pausedAccount).readonly(),
    /** Number of answers that were released or dropped. */
    items: z.number(),
    /** Ids of the hand-overs that kept the bot silent for the person, and are resolved now; absent if there were none. */
    escalations: z.array(z.number()).readonly().exactOptional(),
    /** Accounts that stay silent in all conversations; absent if there are none. */
    silenced: z.array(silencedAccount).readonly().exactOptional(),
  }),
  refused,
]);
