import { echoOf } from "../../actions/actions.ts";
import type { AccountEvent, MessageEvent } from "../../events/event.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { Item } from "../store/item.ts";
import { RESTORED_FROM } from "../store/restored.ts";
import type { Store } from "../store/store.ts";

export interface SentElsewhereNeeds {
  readonly store: Pick<Store, "items" | "journal" | "isForgotten" | "setMeta" | "startRestored">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Milliseconds for which an item with an unknown outcome blocks its lane. */
  readonly holdMs: number;
}

/** Maximum number of a lane's latest items with which its messages are compared. */
const MAX_ITEMS = 500;

/**
 * Returns a function that detects messages of the account that this store did not send. Call it with the events that
 * were read back after an outage, before they are appended to the journal. If such a message is neither in the outbox
 * nor in the journal, nor was erased from them with its person, another store or a person sent it. Unsent answers, and
 * later answers to earlier events, are then looked up on the platform before they are sent.
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
    const items = await store.startRestored(clock.now(), holdMs);
    log.warn(
      { message: id, items },
      "the account sent messages that the store does not have; late answers are looked up on the platform first",
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
    const { accountId: account, key, lane } = event;
    const items = itemsOf.get(lane) ?? (await store.items({ lane, limit: MAX_ITEMS }));
    itemsOf.set(lane, items);
    if (items.some((item) => isOf(item, event))) continue;
    const [row] = await store.journal({ key, limit: 1 });
    if (row === undefined && !(await store.isForgotten({ account, key }))) return event;
  }
  return undefined;
}

/** Whether the item sent the message, or may have sent it: its outcome is not recorded, and the text is the same. */
export function isOf(item: Item, event: MessageEvent): boolean {
  if (item.platformId !== undefined) return item.platformId === event.message.id;
  if (item.status !== "sending" && item.status !== "unknown") return false;
  return echoOf(event, item.action, { account: item.account }) !== undefined;
}
