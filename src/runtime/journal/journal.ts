import type { AccountEvent } from "../../events/event.ts";
import { translate } from "../../events/translate.ts";
import type { Clock } from "../clock/clock.ts";
import type { AppendResult, NewEntry } from "../store/entry.ts";
import type { AppendPort } from "../store/store.ts";

/** Takes events in: durable, once each, in lanes. */
export interface Journal {
  /**
   * Splits a delivery and puts its events on disk.
   *
   * @param raw The delivery's text; kept to the letter when it carries one event.
   * @returns How many events were new; resolves after the device sync.
   */
  append(delivery: object, raw: string, source: NewEntry["source"]): Promise<number>;
}

export interface JournalNeeds {
  readonly store: AppendPort;
  readonly clock: Clock;
  /** How an event is marked that came by a source: what a replay brings comes by the webhook, too. */
  readonly sourceOf?: (source: NewEntry["source"], at: number) => NewEntry["source"];
  /**
   * Told of entries on their way to the disk. What it gives is called with what became of them. Nobody is
   * told unless it is given.
   */
  readonly appending?:
    | ((
        delivery: object,
        entries: readonly NewEntry[],
      ) => (results: readonly AppendResult[] | undefined, error?: unknown) => void)
    | undefined;
  /**
   * Called with the new entries once they are durable, and with the event that each of them keeps;
   * not when there are none.
   */
  readonly onAppended: (entries: readonly NewEntry[], events: readonly AccountEvent[]) => void;
  /** Called with entries that the journal had already. */
  readonly onKnown?: (entries: readonly NewEntry[]) => void;
  /**
   * Called when an account's owner took its authorization away, before the delivery is acknowledged:
   * what fails here comes again. So it is called for an event that is known already, too.
   *
   * @param at When, in milliseconds since the epoch.
   */
  readonly onRevoked: (account: string, at: number) => Promise<void>;
}

/** A journal over a store that is open. */
export function openJournal(needs: JournalNeeds): Journal {
  const { store, clock, onAppended, onRevoked, sourceOf = (source) => source } = needs;
  return {
    async append(delivery, raw, source) {
      const arrivedAt = clock.now();
      const found = translate(delivery, arrivedAt);
      const entries = found.map(({ event, body }): NewEntry => ({
        key: event.key,
        account: event.accountId,
        lane: event.lane,
        kind: event.kind,
        at: event.at,
        arrivedAt,
        source: sourceOf(source, event.at),
        body: body === delivery ? raw : JSON.stringify(body),
      }));
      const ended = needs.appending?.(delivery, entries);
      const results = await store.append(entries).catch((error: unknown) => {
        ended?.(undefined, error);
        throw error;
      });
      ended?.(results);
      const isFresh = (_: unknown, index: number): boolean => results[index]?.outcome === "new";
      const fresh = entries.filter(isFresh);
      if (fresh.length > 0)
        onAppended(
          fresh,
          found.filter(isFresh).map(({ event }) => event),
        );
      if (fresh.length < entries.length) {
        needs.onKnown?.(entries.filter((_, index) => results[index]?.outcome === "duplicate"));
      }
      for (const { kind, account, at } of entries) {
        if (kind === "revoked") await onRevoked(account, at);
      }
      return fresh.length;
    },
  };
}
