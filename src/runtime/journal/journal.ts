import { translate } from "../../events/translate.ts";
import type { Clock } from "../clock.ts";
import type { NewEntry, Store } from "../store/store.ts";

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
  readonly store: Pick<Store, "append">;
  readonly clock: Clock;
  /** Called after new events are durable. */
  readonly onAppended: (count: number, duplicates: number) => void;
}

export function openJournal({ store, clock, onAppended }: JournalNeeds): Journal {
  return {
    async append(delivery, raw, source) {
      const arrivedAt = clock.now();
      const arrivals = translate(delivery, arrivedAt);
      const entries = arrivals.map(({ event, body }): NewEntry => ({
        key: event.key,
        account: event.accountId,
        lane: event.lane,
        kind: event.kind,
        at: event.at,
        arrivedAt,
        source,
        body: body === delivery ? raw : JSON.stringify(body),
      }));
      const results = await store.append(entries);
      const fresh = results.filter((result) => result === "new").length;
      onAppended(fresh, results.length - fresh);
      return fresh;
    },
  };
}
