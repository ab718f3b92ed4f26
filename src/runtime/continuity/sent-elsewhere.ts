import { echoOf } from "../../actions/actions.ts";
import type { AccountEvent, MessageEvent } from "../../events/event.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { Item } from "../store/item.ts";
import { RESTORED_FROM } from "../store/restored.ts";
import type { Store } from "../store/store.ts";

export interface SentElsewhereNeeds {
  readonly store: Pick<Store, "items" | "journal" | "setMeta" | "takeUp">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Milliseconds for which an unknown item holds up its lane. */
  readonly holdMs: number;
}

/** Items of a lane that are compared with its messages. */
const MAX_ITEMS = 500;

/**
 * Compares events that were read back with the outbox, before they are appended.
 *
 * A message of the account that neither the outbox nor the journal has was sent while this store did not run: by another
 * store, or by hand. Then every open answer, and each answer to an event of the time before, is looked up on the platform first.
 */
export function sentElsewhere({
  store,
  clock,
  log,
  holdMs,
}: SentElsewhereNeeds): (events: readonly AccountEvent[]) => Promise<void> {
  return async (events) => {
    const unknown = await firstUnknown(store, events);
    if (unknown === undefined) return;
    const { id } = unknown.message;
    await store.setMeta(RESTORED_FROM, String(unknown.at));
    const items = await store.takeUp(clock.now(), holdMs);
    log.warn(
      { message: id, items },
      "messages were sent for the account of which the store does not know; late answers are looked up first",
    );
  };
}

async function firstUnknown(
  store: SentElsewhereNeeds["store"],
  events: readonly AccountEvent[],
): Promise<MessageEvent | undefined> {
  const itemsOf = new Map<string, readonly Item[]>();
  for (const event of events) {
    if (event.kind !== "message" || event.direction !== "outbound") continue;
    const { lane } = event;
    const items = itemsOf.get(lane) ?? (await store.items({ lane, limit: MAX_ITEMS }));
    itemsOf.set(lane, items);
    if (items.some((item) => isOf(item, event))) continue;
    const [known] = await store.journal({ key: event.key, limit: 1 });
    if (known === undefined) return event;
  }
  return undefined;
}

/** Whether the item sent the message. It may have where its outcome is not recorded. */
export function isOf(item: Item, event: MessageEvent): boolean {
  if (item.platformId !== undefined) return item.platformId === event.message.id;
  if (item.status !== "sending" && item.status !== "unknown") return false;
  return echoOf(event, item.action, { account: item.account }) !== undefined;
}
