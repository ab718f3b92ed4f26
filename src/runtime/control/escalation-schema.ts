import * as z from "zod";
import { whole } from "./stored-schema.ts";

/** Filter of escalations; they are listed newest first. */
export const escalationQuery = z.strictObject({
  id: whole.exactOptional(),
  /** Restricts the list to unresolved (`open`) or resolved escalations. */
  state: z.enum(["open", "resolved"]).exactOptional(),
  queue: z.string().exactOptional(),
  /** User id of the bot account. */
  account: z.string().exactOptional(),
  /** Person of the lane: user id, or handle in any case, with or without `@`. */
  person: z.string().exactOptional(),
  /** Restricts the list to escalations with a smaller id, for the next page. */
  before: whole.exactOptional(),
  limit: whole.pipe(z.number().max(1_000)).default(50),
});

/** Escalation: a request that a person takes over. Times are milliseconds since the epoch, by the platform's clock. */
export const escalation = z.object({
  id: z.number(),
  /** Idempotency key, made of run, step label and iteration. */
  key: z.string(),
  run: z.string(),
  seq: z.number(),
  account: z.string(),
  lane: z.string(),
  /** Handle of the lane's person, without `@`; absent if unknown. */
  username: z.string().exactOptional(),
  queue: z.string(),
  priority: z.enum(["low", "normal", "high", "urgent"]),
  note: z.string().exactOptional(),
  evidence: z.unknown().exactOptional(),
  at: z.number(),
  /** Scope (a lane or an account) in which rules and bots are silent until `until`, or until the escalation is resolved. */
  silences: z
    .object({ scope: z.string(), until: z.number().exactOptional(), untilResolved: z.boolean() })
    .exactOptional(),
  resolvedAt: z.number().exactOptional(),
});

/** Result of resolving an escalation: done, or refused with a reason. */
export const resolvedEscalation = z.discriminatedUnion("done", [
  /** The escalation is resolved. With `changed: false`, an earlier request had resolved it already. */
  z.object({
    done: z.literal(true),
    changed: z.boolean(),
    escalation,
    /** Ids of other open escalations that keep rules and bots silent in the lane; absent if there are none. */
    silentBy: z.array(z.number()).readonly().exactOptional(),
  }),
  z.object({ done: z.literal(false), reason: z.string(), hint: z.string() }),
]);
