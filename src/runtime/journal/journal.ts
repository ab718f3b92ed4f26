import type { AccountEvent } from "../../events/event.ts";
import { type TranslatedEvent, translate } from "../../events/translate.ts";
import type { Clock } from "../clock/clock.ts";
import type { AppendResult, NewEntry } from "../store/entry.ts";
import type { AppendPort, ReadPort } from "../store/store.ts";
import { withFirstVersions } from "./deleted-versions.ts";
import { editsAmong } from "./edits.ts";
import { foundAmong } from "./found-posts.ts";
import { type QuotedPostNeeds, withQuotedPosts } from "./quoted-posts.ts";

/** Appends received events durably to the store. A repeated event is stored only once. */
export interface Journal {
  /**
   * Splits a delivery into events and writes them to disk.
   *
   * @param raw Text of the delivery. It is stored verbatim if the delivery contains a single event.
   * @returns Number of new events. Resolves after the store has synced them to the disk.
   */
  append(delivery: object, raw: string, source: NewEntry["source"]): Promise<number>;
}

export interface JournalNeeds extends Partial<Pick<QuotedPostNeeds, "usernameOf">> {
  readonly store: AppendPort & Pick<ReadPort, "journal">;
  readonly clock: Clock;
  /**
   * Returns the source to store for an event. It may differ from `source`: replayed events arrive by the webhook, too.
   */
  readonly sourceOf?: (source: NewEntry["source"], at: number) => NewEntry["source"];
  /**
   * Called with entries before they are written. The function that it returns is called after the write, with its
   * results or error.
   */
  readonly appending?:
    | ((
        delivery: object,
        entries: readonly NewEntry[],
      ) => (results: readonly AppendResult[] | undefined, error?: unknown) => void)
    | undefined;
  /** Called with the new entries once they are durable. In the three lists, an entry's data has the same index. */
  readonly onAppended: (
    entries: readonly NewEntry[],
    events: readonly AccountEvent[],
    results: readonly AppendResult[],
  ) => void;
  /** Called with entries that the journal already contained. */
  readonly onKnown?: (entries: readonly NewEntry[]) => void;
  /**
   * Called when an account's owner has revoked the authorization, before the delivery is acknowledged. If the call
   * fails, the platform repeats the delivery. The function is then called again, though the journal has the event.
   *
   * @param at Time of the revocation, in milliseconds since the epoch.
   */
  readonly onRevoked: (account: string, at: number) => Promise<void>;
}

/** Creates the journal that appends to `store`. */
export function openJournal(needs: JournalNeeds): Journal {
  const { store, clock, onAppended, onRevoked, sourceOf = (source) => source } = needs;
  const usernameOf = needs.usernameOf ?? (() => undefined);

  async function keep(
    events: readonly TranslatedEvent[],
    delivery: object,
    toEntry: (event: TranslatedEvent) => NewEntry,
  ): Promise<Kept> {
    const entries = events.map(toEntry);
    const ended = needs.appending?.(delivery, entries);
    const results = await store.append(entries).catch((error: unknown) => {
      ended?.(undefined, error);
      throw error;
    });
    ended?.(results);
    const isFresh = (_: unknown, index: number): boolean => results[index]?.outcome === "new";
    const fresh = entries.filter(isFresh);
    if (fresh.length > 0) {
      onAppended(
        fresh,
        events.filter(isFresh).map(({ event }) => event),
        results.filter(isFresh),
      );
    }
    const isDuplicate = (_: unknown, index: number): boolean =>
      results[index]?.outcome === "duplicate";
    if (fresh.length < entries.length) needs.onKnown?.(entries.filter(isDuplicate));
    return { fresh: fresh.length, duplicates: events.filter(isDuplicate) };
  }

  return {
    async append(received, raw, source) {
      const arrivedAt = clock.now();
      const completed = await withQuotedPosts({ store, usernameOf }, received);
      const delivery = await withFirstVersions(store, completed);
      const toEntry = ({ event, body }: TranslatedEvent): NewEntry => ({
        key: event.key,
        account: event.accountId,
        lane: event.lane,
        kind: event.kind,
        at: event.at,
        arrivedAt,
        source: sourceOf(source, event.at),
        body: body === received ? raw : JSON.stringify(body),
      });
      const translated = translate(delivery, arrivedAt);
      const { fresh, duplicates } = await keep(translated, delivery, toEntry);
      const edits = await editsAmong(store, duplicates);
      const foundPosts = edits.length === 0 ? await foundAmong(store, duplicates) : [];
      const later = [...edits, ...foundPosts];
      const added = later.length === 0 ? undefined : await keep(later, delivery, toEntry);
      for (const { event } of translated) {
        if (event.kind === "revoked") await onRevoked(event.accountId, event.at);
      }
      return fresh + (added?.fresh ?? 0);
    },
  };
}

/** Result of appending events: the number of new events, and the events that were duplicates. */
interface Kept {
  readonly fresh: number;
  /** Events that the journal already contained. */
  readonly duplicates: readonly TranslatedEvent[];
}
