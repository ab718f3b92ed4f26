import * as z from "zod";
import { whole } from "./stored-schema.ts";

/** Which escalations, newest first. */
export const escalationQuery = z.strictObject({
  id: whole.exactOptional(),
  /** Only those that nobody has resolved, or only those that somebody has. */
  state: z.enum(["open", "resolved"]).exactOptional(),
  queue: z.string().exactOptional(),
  /** User id of the bot account. */
  account: z.string().exactOptional(),
  /** The person whom the account deals with: user id, or handle in any case, with or without `@`. */
  person: z.string().exactOptional(),
  /** Those with a smaller id only. */
  before: whole.exactOptional(),
  limit: whole.pipe(z.number().max(1_000)).default(50),
});

/** What a person is asked to take over. Times are milliseconds since the epoch, by the platform's clock. */
export const escalation = z.object({
  id: z.number(),
  /** Run, step label and iteration. */
  key: z.string(),
  run: z.string(),
  seq: z.number(),
  account: z.string(),
  lane: z.string(),
  /** The handle of whom the account deals with, without `@`, where it is known. */
  username: z.string().exactOptional(),
  queue: z.string(),
  priority: z.enum(["low", "normal", "high", "urgent"]),
  note: z.string().exactOptional(),
  evidence: z.unknown().exactOptional(),
  at: z.number(),
  /** Where rules and bots are silent until `until` or until it is resolved: a lane, or an account. */
  silences: z
    .object({ scope: z.string(), until: z.number().exactOptional(), untilResolved: z.boolean() })
    .exactOptional(),
  resolvedAt: z.number().exactOptional(),
});

/** What came of resolving one. */
export const resolvedEscalation = z.discriminatedUnion("done", [
  /** `changed: false`: it was resolved already. */
  z.object({
    done: z.literal(true),
    changed: z.boolean(),
    escalation,
    /** Ids of other open escalations that keep rules and bots silent in its lane; absent: none does. */
    silentBy: z.array(z.number()).readonly().exactOptional(),
  }),
  z.object({ done: z.literal(false), reason: z.string(), hint: z.string() }),
]);
