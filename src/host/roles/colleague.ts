import * as z from "zod";

const count = z.number();

/** What a process that serves the webhook says of what comes to it. All counts are since its start. */
const reception = z.object({
  /** For how long it has taken in whatever came, without a break, in milliseconds. */
  steadyMs: count,
  /** Challenges that were answered, those that could not be, and those of them that the platform surely sent. */
  challenges: count,
  challengesRefused: count,
  hints: count,
  deliveries: count,
  /** How long ago they came, in milliseconds; absent where none did. */
  lastChallengeMs: count.exactOptional(),
  lastDeliveryMs: count.exactOptional(),
  /** The same by account, of those that something came for lately. */
  accounts: z.record(z.string(), count),
  /** Deliveries that were turned away, by account, "" for those that were not read; absent from earlier versions. */
  refused: z.record(z.string(), count).exactOptional(),
  /** New events that replays brought, by account, and how many had come before. */
  replayed: z.record(z.string(), count),
  known: count,
});

/** What the leader says of what it does for all. Times are milliseconds since the epoch, by its clock. */
const leading = z.object({
  webhook: z.object({
    id: z.string().exactOptional(),
    valid: z.boolean(),
    trouble: z.string().exactOptional(),
  }),
  subscribed: z.array(z.string()),
  /** Why an account's events don't come, by account. */
  refused: z.record(z.string(), z.string()),
  /** Accounts whose deliveries come. */
  reachable: z.array(z.string()),
  /** What a replay delivers again just now. */
  replay: z.object({ from: z.number(), to: z.number() }).exactOptional(),
  /** What is being caught up. */
  gaps: count,
  gapsSince: z.string().exactOptional(),
  noReplay: z.string().exactOptional(),
});

const note = z.object({
  role: z.enum(["all", "receiver", "worker"]),
  pid: z.number(),
  /** ISO 8601, by the platform's clock. */
  startedAt: z.string(),
  /** The rules by which it decides. */
  rules: z.string(),
  /** How far its clock is ahead of the store's, in milliseconds; absent before it was compared. */
  aheadMs: z.number().exactOptional(),
  /** Partitions whose leases it holds, with their epochs. */
  leases: z.array(z.tuple([z.number(), z.number()])),
  /** It is ending, and what it had taken on is done. */
  isLeaving: z.boolean(),
  reception: reception.exactOptional(),
  leading: leading.exactOptional(),
});

/** What a process that takes deliveries in says of that. */
export type ReceptionNote = z.infer<typeof reception>;
/** What the leader says of what it leads. */
export type LeadingNote = z.infer<typeof leading>;
/** What a process says of itself to the others that share its store. */
export type ProcessNote = z.infer<typeof note>;

/** A process at work on the same store. */
export interface Colleague extends ProcessNote {
  readonly name: string;
}

/** Reads what a process said of itself; undefined where a newer or older version said it in other words. */
export function readNote(text: string): ProcessNote | undefined {
  const read = note.safeParse(JSON.parse(text));
  return read.success ? read.data : undefined;
}
