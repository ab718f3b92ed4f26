import { echoOf } from "../../actions/actions.ts";
import type { AccountEvent, MessageEvent } from "../../events/event.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import { StoreError } from "../store/errors.ts";
import { isStated, type Item } from "../store/item.ts";
import type { ReadPort } from "../store/store.ts";
import { BY_MESSAGES, type InstanceEvidence } from "./other-instances.ts";

export interface UnknownMessagesNeeds {
  readonly store: Pick<ReadPort, "items" | "isForgotten">;
  readonly onOther: (evidence: InstanceEvidence) => Promise<void>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Returns monotonic real milliseconds. Default: `performance.now()`. */
  readonly monotonic?: () => number;
}

/** Detects messages that another instance of the bot has sent for an account. */
export interface UnknownMessages {
  /** Checks an event that was added to the journal. @param read Parses the event. */
  onEvent(kind: string, read: () => AccountEvent): void;
  stop(): Promise<void>;
}

/** Maximum number of a lane's latest items with which a message is compared. */
const MAX_ITEMS = 100;
/** Maximum milliseconds between an item and a message with the same text that count as the same answer. */
const SAME_ANSWER_MS = 10 * 60_000;
/** Real milliseconds for which a comparison is repeated while an item that may have sent the message has no outcome. */
const PATIENCE_MS = 60_000;
/** Maximum number of messages that wait for their comparison. Further messages are not compared. */
const MAX_WAITING = 1_000;

/**
 * Compares each message that an account has sent with the outbox, once the outcomes of this instance's requests are
 * recorded.
 *
 * A message is an answer of another instance if no item of this instance has sent it, but an item has the same text for
 * the same person. The instance whose answer came second sends nothing more.
 */
export function followUnknownMessages(needs: UnknownMessagesNeeds): UnknownMessages {
  const { store, clock, log, onOther, monotonic = () => performance.now() } = needs;
  const startedAt = clock.now();
  const waiting: { readonly event: MessageEvent; readonly until: number }[] = [];

  const compare = async (): Promise<void> => {
    const unclear: typeof waiting = [];
    try {
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const { event, until } = first;
        const items = await store.items({ lane: event.lane, limit: MAX_ITEMS });
        const verdict = compared(event, items);
        const isOthers = verdict === "later" || verdict === "earlier";
        const { accountId: account, key } = event;
        if (verdict === "unclear" && monotonic() < until) unclear.push(first);
        // The item that sent the message may have been erased with its person.
        else if (isOthers && !(await store.isForgotten({ account, key }))) {
          await onOther({
            account,
            id: BY_MESSAGES,
            reason: `message ${event.message.id} has the text of an answer that this instance has not sent`,
            holdsBack: verdict === "later",
          });
        }
        waiting.shift();
      }
    } catch (error) {
      // After a failure of the store the message is compared again. Another error would come again, too.
      if (!(error instanceof StoreError)) waiting.shift();
      throw error;
    } finally {
      waiting.push(...unclear);
    }
  };
  const loop = pollLoop({
    poll: compare,
    everyMs: 1_000,
    onError: throttle(LOG_EVERY_MS, (error: unknown) =>
      log.warn({ err: error }, "the account's messages could not be compared with the outbox"),
    ),
  });
  return {
    onEvent(kind, read) {
      if (kind !== "message" || waiting.length >= MAX_WAITING) return;
      const event = read();
      if (event.kind !== "message" || event.direction !== "outbound") return;
      // Messages from before this process started are compared in `sentElsewhere`, with the events that are read back.
      if (event.at >= startedAt) waiting.push({ event, until: monotonic() + PATIENCE_MS });
    },
    stop: () => loop.stop(),
  };
}

type Compared = "own" | "unclear" | "later" | "earlier" | "unrelated";

/**
 * Compares a message with the items of its lane.
 *
 * `own`: this instance sent the message. `unclear`: an item without an outcome may have sent it. `later`, `earlier`:
 * another instance sent it, and the answer of this instance came after or before that message. `unrelated`: no item has
 * its text.
 */
export function compared(event: MessageEvent, items: readonly Item[]): Compared {
  if (items.some(({ platformId }) => platformId === event.message.id)) return "own";
  const same = items.filter((item) => isSameAnswer(item, event));
  if (same.some(({ status }) => status === "sending" || status === "unknown")) return "unclear";
  const [item] = same;
  if (item === undefined) return "unrelated";
  // The platform's ids rise with time, so the greater id belongs to the message that was sent later.
  const isLater =
    item.platformId === undefined || BigInt(item.platformId) > BigInt(event.message.id);
  return isLater ? "later" : "earlier";
}

function isSameAnswer(item: Item, event: MessageEvent): boolean {
  // After a repeated request, the message may be a second copy from this instance, so such an item proves nothing.
  if (item.attempts > 1 || item.status === "failed" || item.status === "expired") return false;
  // An item without the platform's id may have sent this very message.
  if (isStated(item) && item.platformId === undefined) return false;
  const at = item.startedAt ?? event.at;
  if (Math.abs(at - event.at) > SAME_ANSWER_MS) return false;
  return echoOf(event, item.action, { account: item.account }) !== undefined;
}
