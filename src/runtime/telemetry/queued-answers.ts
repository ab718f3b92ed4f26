import type { NewItem } from "../store/item.ts";

/** Event that led to an item. */
export interface Origin {
  /** Key of the event. */
  readonly key: string;
  /** Arrival in milliseconds since the epoch, by the platform's clock; absent if the item was queued after a wait. */
  readonly arrivedAt?: number;
}

/** Memory of the events that led to waiting items, limited to the latest items that this process queued. */
export interface QueuedAnswers {
  note(items: readonly NewItem[], origin: Origin): void;
  /** Origin of an item; undefined if another process queued the item, or too many items were queued since. */
  originOf(item: Pick<NewItem, "account" | "key">): Origin | undefined;
  /** Forgets an item that will not be sent again. */
  forget(item: Pick<NewItem, "account" | "key">): void;
}

/** Limit of remembered items, enough for a flood; the oldest are dropped. */
const MAX_QUEUED = 20_000;

/** Creates an empty memory. */
export function queuedAnswers(most = MAX_QUEUED): QueuedAnswers {
  const origins = new Map<string, Origin>();
  const nameOf = ({ account, key }: Pick<NewItem, "account" | "key">): string =>
    `${account} ${key}`;
  return {
    note(items, origin) {
      for (const item of items) origins.set(nameOf(item), origin);
      for (const oldest of origins.keys()) {
        if (origins.size <= most) return;
        origins.delete(oldest);
      }
    },
    originOf: (item) => origins.get(nameOf(item)),
    forget: (item) => void origins.delete(nameOf(item)),
  };
}
