import * as z from "zod";
import { actionSchema } from "../../actions/actions.ts";
import { ENTRY_SOURCES } from "../store/entry.ts";

const itemStatus = z.enum(["pending", "sending", "sent", "failed", "expired", "unknown", "held"]);

/** A whole number above 0; as text where it comes in a query. */
export const whole = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], "not a whole number above 0")
  .pipe(z.number().int().positive());
const limit = whole.pipe(z.number().max(1_000)).default(50);

/** Which entries of the journal. */
export const journalQuery = z.strictObject({
  /** Entries with a smaller seq only. */
  before: whole.exactOptional(),
  seq: whole.exactOptional(),
  account: z.string().exactOptional(),
  lane: z.string().exactOptional(),
  key: z.string().exactOptional(),
  limit,
});

/** Which items of the outbox. */
export const itemQuery = z.strictObject({
  id: whole.exactOptional(),
  /** Those of one entry. */
  seq: whole.exactOptional(),
  /** Those of entries from this number on. */
  seqFrom: whole.exactOptional(),
  /** Those of entries up to this number. */
  seqTo: whole.exactOptional(),
  account: z.string().exactOptional(),
  lane: z.string().exactOptional(),
  /** `failed` leaves out items that the operator dropped. */
  status: z.enum([...itemStatus.options, "dropped"]).exactOptional(),
  /** Items with a smaller id only. */
  before: whole.exactOptional(),
  limit,
});

/** Which runtime events. */
export const eventsQuery = z.strictObject({
  /** Number of the last one that was seen; without it only new ones come. */
  after: z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], "not a whole number")
    .exactOptional(),
});

/** An event in the journal and what became of it. Times are milliseconds since the epoch. */
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
  /** What came, as JSON text. */
  body: z.string(),
  attempts: z.number(),
  state: z.enum(["open", "done", "dead-lettered"]),
  decidedAt: z.number().exactOptional(),
  /** The rules that ran and their revision, or the error when deciding failed; as JSON text. */
  decision: z.string().exactOptional(),
  /** The rules and bot handlers that it started. */
  runs: z
    .array(
      z.object({
        id: z.string(),
        seq: z.number(),
        /** `rule:<id>` or `bot:<name>`. */
        owner: z.string(),
        account: z.string(),
        lane: z.string(),
        revision: z.string(),
        status: z.enum(["ready", "waiting", "done", "failed", "stopped"]),
        /** While it waits: the key of the item or the id of the timer that it waits for. */
        waitsFor: z.string().exactOptional(),
        /** While it waits for a timer: when that falls due. */
        waitsUntil: z.number().exactOptional(),
        /** It takes events of its lane, as answers to what it asked or since it waits for them. */
        listens: z.boolean().exactOptional(),
        /** Position, variables, results and end, as JSON text. */
        body: z.string(),
      }),
    )
    .readonly(),
});

/** An action in the outbox and what became of it. Times are milliseconds since the epoch. */
export const outboxItem = z.object({
  id: z.number(),
  key: z.string(),
  account: z.string(),
  lane: z.string(),
  partition: z.number(),
  /** The run that queued it, and the entry that started that run. */
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
  /** Lower goes first; 0, what a person waits for, unless said. */
  priority: z.number().exactOptional(),
});

/** What came of a change of an item that was asked for. */
export const itemChange = z.discriminatedUnion("done", [
  z.object({ done: z.literal(true), from: itemStatus, to: itemStatus }),
  /** Nothing has changed: why, and what to do instead. */
  z.object({ done: z.literal(false), reason: z.string(), hint: z.string() }),
]);
