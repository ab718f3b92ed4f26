import { actionResult } from "../../actions/action-result.ts";
import * as z from "zod";
import { actionSchema } from "../../actions/actions.ts";
import { ENTRY_SOURCES } from "../store/entry.ts";

const itemStatus = z.enum(["pending", "sending", "sent", "failed", "expired", "unknown", "held"]);

/** Whole number above 0; also accepted as text, as queries carry it. */
export const whole = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], "not a whole number above 0")
  .pipe(z.number().int().positive());
const limit = whole.pipe(z.number().max(1_000)).default(50);

/** Filter of journal entries. */
export const journalQuery = z.strictObject({
  /** Restricts the list to entries with a smaller `seq`, for the next page. */
  before: whole.exactOptional(),
  seq: whole.exactOptional(),
  account: z.string().exactOptional(),
  lane: z.string().exactOptional(),
  key: z.string().exactOptional(),
  limit,
});

/** Filter of outbox items. */
export const itemQuery = z.strictObject({
  id: whole.exactOptional(),
  /** Restricts the list to items that the journal entry with this number caused. */
  seq: whole.exactOptional(),
  /** Restricts the list to items of journal entries with this number or a higher one. */
  seqFrom: whole.exactOptional(),
  /** Restricts the list to items of journal entries with this number or a lower one. */
  seqTo: whole.exactOptional(),
  account: z.string().exactOptional(),
  lane: z.string().exactOptional(),
  /** `failed` leaves out items that the operator dropped. */
  status: z.enum([...itemStatus.options, "dropped"]).exactOptional(),
  /** Restricts the list to items with a smaller id, for the next page. */
  before: whole.exactOptional(),
  limit,
});

/** Selection of runtime events. */
export const eventsQuery = z.strictObject({
  /** Number of the last event that the client has received; absent: only new events are sent. */
  after: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], "not a whole number")
    .exactOptional(),
});

/** Event in the journal, with its outcome. Times are milliseconds since the epoch. */
export const journalRow = z.object({
  seq: z.number(),
  key: z.string(),
  account: z.string(),
  lane: z.string(),
  partition: z.number(),
  kind: z.string(),
  at: z.number(),
  arrivedAt: z.number(),
  source: z.enum(ENTRY_SOURCES),
  /** Received event, as JSON text. */
  body: z.string(),
  attempts: z.number(),
  state: z.enum(["open", "done", "dead-lettered"]),
  decidedAt: z.number().exactOptional(),
  /** Rules that ran and their revision, or the error of the decision; as JSON text. */
  decision: z.string().exactOptional(),
  /** Runs of rules and bot handlers that the event started. */
  runs: z
    .array(
      z.object({
        id: z.string(),
        seq: z.number(),
        /** Owner of the run: `rule:<id>` or `bot:<name>`. */
        owner: z.string(),
        account: z.string(),
        lane: z.string(),
        revision: z.string(),
        status: z.enum(["ready", "waiting", "done", "failed", "stopped"]),
        /** Key of the item or id of the timer for which the run waits. */
        waitsFor: z.string().exactOptional(),
        /** Due time of the timer for which the run waits. */
        waitsUntil: z.number().exactOptional(),
        /** Whether the run receives events of its lane: answers to its question, or events that it waits for. */
        listens: z.boolean().exactOptional(),
        /** State of the run: position in its steps, variables, results of steps, and how it ended; as JSON text. */
        body: z.string(),
      }),
    )
    .readonly(),
});

/** Action in the outbox, with its outcome. Times are milliseconds since the epoch. */
export const outboxItem = z.object({
  id: z.number(),
  key: z.string(),
  account: z.string(),
  lane: z.string(),
  partition: z.number(),
  /** Run that queued the item, and number of the entry that started the run. */
  run: z.string(),
  seq: z.number(),
  action: actionSchema,
  status: itemStatus,
  notBefore: z.number(),
  expiresAt: z.number().exactOptional(),
  attempts: z.number(),
  startedAt: z.number().exactOptional(),
  settledAt: z.number().exactOptional(),
  platformId: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  /** Result of the action from the platform; absent if it contains no more than `action` and `platformId`. */
  result: actionResult.exactOptional(),
  /** Priority: items with a lower number are sent first. By default 0, for answers that a person waits for. */
  priority: z.number().exactOptional(),
});

/** Result of a requested change of an item. */
export const itemChange = z.discriminatedUnion("done", [
  z.object({
    done: z.literal(true),
    from: itemStatus,
    to: itemStatus,
    /** Whether an operator had dropped the item: `from` is `failed`. */
    wasDropped: z.literal(true).exactOptional(),
  }),
  /** Refusal: nothing has changed. Has the reason and a hint. */
  z.object({ done: z.literal(false), reason: z.string(), hint: z.string() }),
]);
