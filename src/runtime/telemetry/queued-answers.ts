import type { NewItem } from "../store/item.ts";

/** The event that called for an item. */
export interface Origin {
  /** Key of the event. */
  readonly key: string;
  /** By the platform's clock, in milliseconds since the epoch; absent where the rule waited for something first. */
  readonly arrivedAt?: number;
}

/** Which event called for the items that wait: of those that this process queued, and the latest of them. */
export interface QueuedAnswers {
  note(items: readonly NewItem[], origin: Origin): void;
  /** Undefined where another process queued it, or too many were queued since. */
  originOf(item: Pick<NewItem, "account" | "key">): Origin | undefined;
  /** It is not sent again. */
  forget(item: Pick<NewItem, "account" | "key">): void;
}

/** As many as wait in a flood; the oldest give way. */
const MOST = 20_000;

/** Knows of nothing yet. */
export function queuedAnswers(most = MOST): QueuedAnswers {
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
