import { echoOf } from "../../actions/actions.ts";
import type { AccountEvent, MessageEvent } from "../../events/event.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { isStated, type Item } from "../store/item.ts";
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

/** Whether the item sent the message, or may have sent it: its outcome is not proven, and the text is the same. */
function isOf(item: Item, event: MessageEvent): boolean {
  if (item.platformId !== undefined) return item.platformId === event.message.id;
  const isUnproven =
    item.status === "sending" || item.status === "unknown" || isFromStated(item, event);
  return isUnproven && echoOf(event, item.action, { account: item.account }) !== undefined;
}

/** Maximum difference between the clocks of this machine and the platform, in milliseconds. */
const SLACK_MS = 2_000;

/** Whether the message was created between the item's request and the operator's statement of its outcome. */
function isFromStated(item: Item, { at }: MessageEvent): boolean {
  const { startedAt = 0, settledAt = 0 } = item;
  return isStated(item) && startedAt - SLACK_MS <= at && at <= settledAt + SLACK_MS;
}
