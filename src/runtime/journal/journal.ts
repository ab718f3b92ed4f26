import type { AccountEvent } from "../../events/event.ts";
import { type TranslatedEvent, translate } from "../../events/translate.ts";
import type { Clock } from "../clock/clock.ts";
import type { AppendResult, NewEntry } from "../store/entry.ts";
import type { AppendPort, ReadPort } from "../store/store.ts";
import { withFirstVersions } from "./deleted-versions.ts";
import { editsAmong } from "./edits.ts";
import { foundAmong } from "./found-posts.ts";
import { type QuotedPostNeeds, withQuotedPosts } from "./quoted-posts.ts";

/** Appends events durably, once each, in lanes. */
export interface Journal {
  /**
   * Splits a delivery into events and writes them to disk.
   *
   * @param raw The delivery's text; stored verbatim if it carries one event.
   * @returns Number of new events; resolves after the device sync.
   */
  append(delivery: object, raw: string, source: NewEntry["source"]): Promise<number>;
}

export interface JournalNeeds extends Partial<Pick<QuotedPostNeeds, "usernameOf">> {
  readonly store: AppendPort & Pick<ReadPort, "journal">;
  readonly clock: Clock;
  /** Returns the source with which an event is marked: replayed events arrive by the webhook, too. */
  readonly sourceOf?: (source: NewEntry["source"], at: number) => NewEntry["source"];
  /** Called with entries before they are written. The function that it returns is called with the result of the write. */
  readonly appending?:
    | ((
        delivery: object,
        entries: readonly NewEntry[],
      ) => (results: readonly AppendResult[] | undefined, error?: unknown) => void)
    | undefined;
  /**
   * Called with the new entries once they are durable, with the event and the result of each; not called if there are none.
   */
  readonly onAppended: (
    entries: readonly NewEntry[],
    events: readonly AccountEvent[],
    results: readonly AppendResult[],
  ) => void;
  /** Called with entries that the journal already contained. */
  readonly onKnown?: (entries: readonly NewEntry[]) => void;
  /**
   * Called when an account's owner has revoked the authorization, before the delivery is acknowledged: after an error the
   * platform repeats the delivery. It is therefore also called for an event that the journal already contains.
   *
   * @param at Time of the revocation, in milliseconds since the epoch.
   */
  readonly onRevoked: (account: string, at: number) => Promise<void>;
}

/** Opens the journal over an open store. */
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

/** Result of appending events. */
interface Kept {
  readonly fresh: number;
  /** Events that the journal already contained. */
  readonly duplicates: readonly TranslatedEvent[];
}
