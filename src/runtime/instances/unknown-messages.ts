import { echoOf } from "../../actions/actions.ts";
import type { AccountEvent, MessageEvent } from "../../events/event.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../loop/throttle.ts";
import type { Item } from "../store/item.ts";
import type { ReadPort } from "../store/store.ts";
import { BY_MESSAGES, type InstanceEvidence } from "./other-instances.ts";

export interface UnknownMessagesNeeds {
  readonly store: Pick<ReadPort, "items">;
  readonly onOther: (evidence: InstanceEvidence) => Promise<void>;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Monotonic real milliseconds; by default `performance.now()`. */
  readonly monotonic?: () => number;
}

/** Detects messages of the account that another instance has sent. */
export interface UnknownMessages {
  /** Takes note of an event in the journal. @param read Parses the event. */
  onEvent(kind: string, read: () => AccountEvent): void;
  stop(): Promise<void>;
}

/** Number of a lane's items with which a message is compared. */
const MAX_ITEMS = 100;
/** Longest distance in milliseconds between two equal texts that count as the same answer. */
const SAME_ANSWER_MS = 10 * 60_000;
/** Real milliseconds for which a comparison is repeated while an item that may have sent the message is in transit. */
const PATIENCE_MS = 60_000;
/** Maximum number of messages that wait for their comparison. Further ones count as answers of this instance. */
const MAX_WAITING = 1_000;

/**
 * Compares each message that the account has sent with the outbox, once the outcomes of our own requests are recorded.
 *
 * A message that no item has sent, but with the text of an answer of this instance to the same person, is an answer of another
 * instance. The instance whose answer came second holds back.
 */
export function followUnknownMessages(needs: UnknownMessagesNeeds): UnknownMessages {
  const { store, clock, log, onOther, monotonic = () => performance.now() } = needs;
  const startedAt = clock.now();
  let waiting: { readonly event: MessageEvent; readonly until: number }[] = [];

  const compare = async (): Promise<void> => {
    const all = waiting;
    waiting = [];
    for (const { event, until } of all) {
      const items = await store.items({ lane: event.lane, limit: MAX_ITEMS });
      const verdict = compared(event, items);
      if (verdict === "unclear" && monotonic() < until) waiting.push({ event, until });
      else if (verdict === "later" || verdict === "earlier") {
        await onOther({
          account: event.accountId,
          id: BY_MESSAGES,
          reason: `message ${event.message.id} has the text of an answer that this instance has not sent`,
          holdsBack: verdict === "later",
        });
      }
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
      // Messages from before this process started are compared elsewhere, when the missed time is read back.
      if (event.at >= startedAt) waiting.push({ event, until: monotonic() + PATIENCE_MS });
    },
    stop: () => loop.stop(),
  };
}

type Compared = "own" | "unclear" | "later" | "earlier" | "unrelated";

/** Whether another instance sent the message, and whether this instance's answer is the later one. */
export function compared(event: MessageEvent, items: readonly Item[]): Compared {
  if (items.some(({ platformId }) => platformId === event.message.id)) return "own";
  const same = items.filter((item) => isSameAnswer(item, event));
  if (same.some(({ status }) => status === "sending" || status === "unknown")) return "unclear";
  const [item] = same;
  if (item === undefined) return "unrelated";
  // Ids rise with time.
  const isLater =
    item.platformId === undefined || BigInt(item.platformId) > BigInt(event.message.id);
  return isLater ? "later" : "earlier";
}

function isSameAnswer(item: Item, event: MessageEvent): boolean {
  // A repeated request may have arrived both times.
  if (item.attempts > 1 || item.status === "failed" || item.status === "expired") return false;
  const at = item.startedAt ?? event.at;
  if (Math.abs(at - event.at) > SAME_ANSWER_MS) return false;
  return echoOf(event, item.action, { account: item.account }) !== undefined;
}
