import type { EntrySource } from "./store/entry.ts";

/**
 * Puts a delivery's events into the journal. Resolves with how many were new, once they are on disk.
 *
 * @param raw The delivery's text; kept to the letter when it carries one event.
 */
export type Append = (delivery: object, raw: string) => Promise<number>;

/** Where events come from: the webhook, a replay, a backfill. All of them end in the journal. */
export interface Source<Status extends object = object> {
  /** What the entries of this source are marked with in the journal. */
  readonly name: EntrySource;
  /** Begins to take events in. Resolves when it does. */
  start(append: Append): Promise<void>;
  status(): Status;
  /** Takes nothing new, and resolves when what was under way is answered. */
  stop(): Promise<void>;
}
