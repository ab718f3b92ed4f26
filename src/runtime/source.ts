import type { EntrySource } from "./store/entry.ts";

/** Thrown to refuse a delivery until older events are processed: the platform repeats it later. Not logged as fault. */
export class ComeAgain extends Error {
  override readonly name = "ComeAgain";
}

/**
 * Appends a delivery's events to the journal. Resolves with the number of new events, once they are on disk.
 *
 * Rejects with {@link ComeAgain} if older events have to be processed first, or with another error if the delivery
 * could not be stored.
 *
 * @param raw The delivery's text; stored verbatim if the delivery carries exactly one event.
 */
export type Append = (delivery: object, raw: string) => Promise<number>;

/** Source of events: the webhook, a replay, a backfill. All sources append to the journal. */
export interface Source<Status extends object = object> {
  /** Name of the source, stored with its entries in the journal. */
  readonly name: EntrySource;
  /** Starts to receive events. Resolves once the source is ready. */
  start(append: Append): Promise<void>;
  status(): Status;
  /** Stops accepting events. Resolves once the current requests are answered. */
  stop(): Promise<void>;
}
