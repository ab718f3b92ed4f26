/** An event on its way into the journal. Times are milliseconds since the epoch. */
export interface NewEntry {
  /** Stable key of the event; unique per account. */
  readonly key: string;
  readonly account: string;
  readonly lane: string;
  /** The event's kind, for listings. */
  readonly kind: string;
  /** When it happened, by the platform's clock. */
  readonly at: number;
  /** When it came in, by the platform's clock. */
  readonly arrivedAt: number;
  /** Where it came from. */
  readonly source: EntrySource;
  /** What came, as JSON text. */
  readonly body: string;
}

/** The ways by which events come in: from the platform, or of the runtime's own. */
export const ENTRY_SOURCES = [
  "webhook",
  "polling",
  "replay",
  "backfill",
  "schedule",
  "link",
  "operator",
] as const;
/** One of {@link ENTRY_SOURCES}. */
export type EntrySource = (typeof ENTRY_SOURCES)[number];

/** An event in the journal. */
export interface Entry extends NewEntry {
  /** Rises in the order of arrival; never used twice. */
  readonly seq: number;
  readonly partition: number;
}

/** What became of one entry that was appended. */
export interface AppendResult {
  /** `duplicate`: the journal had this key for this account already. */
  readonly outcome: "new" | "duplicate";
  /** The entry in the journal: the new one, or the one that was there. */
  readonly seq: number;
}
