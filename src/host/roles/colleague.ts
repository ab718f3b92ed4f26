import * as z from "zod";

const count = z.number();

/** Report of a webhook receiver about its deliveries and challenges. All counts are since the receiver's start. */
const reception = z.object({
  /** Milliseconds for which the receiver has accepted deliveries without a break. */
  steadyMs: count,
  /**
   * Numbers of challenges by outcome: answered (`challenges`) and refused (`challengesRefused`). `hints` counts the
   * refused ones that the platform surely sent.
   */
  challenges: count,
  challengesRefused: count,
  hints: count,
  deliveries: count,
  /** Milliseconds since the last challenge and the last delivery; absent before the first. */
  lastChallengeMs: count.exactOptional(),
  lastDeliveryMs: count.exactOptional(),
  /** Milliseconds since the last delivery, by account; only accounts with a recent delivery. */
  accounts: z.record(z.string(), count),
  /**
   * Deliveries refused with 503, by account; "" for deliveries that were not read or name no account. Absent in notes
   * of earlier versions.
   */
  refused: z.record(z.string(), count).exactOptional(),
  /** New events from replays, by account, and (`known`) replayed events that the journal had already. */
  replayed: z.record(z.string(), count),
  known: count,
});

/**
 * Report of the leader about its work for all processes. Times are milliseconds since the epoch, by the platform's
 * clock.
 */
const leading = z.object({
  webhook: z.object({
    id: z.string().exactOptional(),
    valid: z.boolean(),
    trouble: z.string().exactOptional(),
  }),
  subscribed: z.array(z.string()),
  /** Reasons why the events of accounts don't arrive, by account. */
  refused: z.record(z.string(), z.string()),
  /** Accounts whose deliveries arrive. */
  reachable: z.array(z.string()),
  /** Stretch of time that the current replay covers; absent without a replay. */
  replay: z.object({ from: z.number(), to: z.number() }).exactOptional(),
  /** Number of gaps that are being caught up. */
  gaps: count,
  gapsSince: z.string().exactOptional(),
  noReplay: z.string().exactOptional(),
});

const note = z.object({
  role: z.enum(["all", "receiver", "worker"]),
  pid: z.number(),
  /** Start of the process in ISO 8601, by the platform's clock. */
  startedAt: z.string(),
  /** Revision of the rules by which the process decides. */
  rules: z.string(),
  /** Milliseconds that the process's clock is ahead of the store's; absent before the first comparison. */
  aheadMs: z.number().exactOptional(),
  /** Partitions whose leases the process holds, with their epochs. */
  leases: z.array(z.tuple([z.number(), z.number()])),
  /** Whether the process is about to end. It accepts no more deliveries, and has stored all that it accepted. */
  isLeaving: z.boolean(),
  reception: reception.exactOptional(),
  leading: leading.exactOptional(),
});

/** Report of a receiver about its deliveries. */
export type ReceptionNote = z.infer<typeof reception>;
/** Report of the leader about its work for all processes. */
export type LeadingNote = z.infer<typeof leading>;
/** Note that a process publishes about itself with each heartbeat, for the other processes of its store. */
export type ProcessNote = z.infer<typeof note>;

/** Running process of the same store. */
export interface Colleague extends ProcessNote {
  readonly name: string;
}

/** Parses a process's note; undefined if a newer or older version wrote it in another format. */
export function readNote(text: string): ProcessNote | undefined {
  const read = note.safeParse(JSON.parse(text));
  return read.success ? read.data : undefined;
}
