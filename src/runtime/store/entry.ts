/** Event to be stored in the journal. Times are milliseconds since the epoch. */
export interface NewEntry {
  /** Stable key of the event; unique per account. */
  readonly key: string;
  readonly account: string;
  readonly lane: string;
  /** The event's kind, for listings. */
  readonly kind: string;
  /** Time of the event, by the platform's clock. */
  readonly at: number;
  /** Time of arrival, by the platform's clock. */
  readonly arrivedAt: number;
  readonly source: EntrySource;
  /** Content of the event, as JSON text. */
  readonly body: string;
}

/** Sources of events: the platform or the runtime itself. */
export const ENTRY_SOURCES = [
  "webhook",
  "polling",
  "search",
  "replay",
  "backfill",
  "schedule",
  "link",
  "operator",
] as const;
/** Source of an event, from {@link ENTRY_SOURCES}. */
export type EntrySource = (typeof ENTRY_SOURCES)[number];

/** Event that is stored in the journal. */
export interface Entry extends NewEntry {
  /** Number of the entry in the order of arrival; never used twice. */
  readonly seq: number;
  readonly partition: number;
}

/** Outcome of appending one entry. */
export interface AppendResult {
  /** `duplicate`: the journal already has this key for this account. */
  readonly outcome: "new" | "duplicate";
  /** Number of the new entry, or of the existing entry with the same key; 0 if that entry was deleted by `forget`. */
  readonly seq: number;
  /**
   * Partition of the new entry. Present only if the caller may process the entry at once, without `fetch`: the entry is
   * the only input of its lane, no run listens there, and no pause or silence applies. A store engine may omit it.
   */
  readonly nextIn?: number;
}
