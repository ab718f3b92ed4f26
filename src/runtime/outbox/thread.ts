import type { Action } from "../../actions/actions.ts";
import { weightedLength } from "../../protocol/public-text/length.ts";
import { POST_LENGTH } from "../../protocol/limits.ts";
import type { Item } from "../store/item.ts";
import type { ReadPort } from "../store/store.ts";
import {
  type FurtherPart,
  isFurtherPart,
  itemBefore,
  itemsOfParts,
  MAX_ITEMS_OF_EVENT,
} from "../store/thread.ts";

/** Whether an item can be sent after the previous part of its text: a post of a thread, or a message. */
export type PlaceInThread =
  /** The item can be sent. A post is now a reply to the previous post. */
  | { readonly kind: "ready"; readonly item: Item }
  /**
   * The item is not sent. `held`: the previous part is held back. `given-up`: the previous part is not known to be
   * sent.
   */
  | { readonly kind: "held" | "given-up"; readonly reason: string };

/**
 * Checks whether an item can be sent after the previous part of its text. An item that is no further part is ready, and
 * unchanged.
 */
export async function placeInThread(
  store: Pick<ReadPort, "items">,
  item: Item,
): Promise<PlaceInThread> {
  const { action, account, seq } = item;
  if (!isFurtherPart(action)) return { kind: "ready", item };
  const items = await store.items({ seq, limit: MAX_ITEMS_OF_EVENT });
  const before = itemBefore(account, action, items);
  if (before === undefined) {
    const reason = `${NOT_SENT}the part before it is no longer in the outbox`;
    return { kind: "given-up", reason };
  }
  const { status, reason } = before;
  // An unknown outcome does not stop the rest of a message: the part may well have arrived, and its id is not needed.
  if (status === "sent" || (status === "unknown" && action.type === "reply_dm")) {
    return { kind: "ready", item: { ...item, action: answering(action, before.platformId) } };
  }
  const number = itemsOfParts(before, items).length;
  const which =
    action.type === "reply_dm" ? `part ${number} of the message` : `post ${number} of the thread`;
  const why = reason === undefined ? "" : `: ${reason}`;
  if (status === "held") {
    if (reason?.startsWith(WAITS) === true) return { kind: "held", reason };
    return { kind: "held", reason: `${WAITS}${which}, which is held back${why}` };
  }
  if (reason?.startsWith(NOT_SENT) === true) return { kind: "given-up", reason };
  return { kind: "given-up", reason: `${NOT_SENT}${which} ${STATES[status]}${why}` };
}

/** Returns the reason why the action's text is too long to be published; undefined if it may be published. */
export function tooLongReason(action: Action): string | undefined {
  if (!("long" in action) || action.long !== "fail") return undefined;
  const length = weightedLength(action.text);
  return length <= POST_LENGTH
    ? undefined
    : `the post is ${length} weighted characters (limit ${POST_LENGTH}), and long posts fail here (long: fail)`;
}

/** Prefix of the reason that all parts after the failed part get. */
const NOT_SENT = "not sent: ";
/** Prefix of the reason that all parts after a held part get. */
const WAITS = "waits for ";

const STATES = {
  pending: "is not sent",
  sending: "is not sent",
  unknown: "may have been published; its outcome is unknown",
  failed: "failed",
  expired: "was given up",
} as const;

/** Returns the action as a reply to the previous post; unchanged for a message, and in a dry run, which has no ids. */
function answering(action: FurtherPart, platformId: string | undefined): Action {
  if (platformId === undefined || action.type === "reply_dm") return action;
  const { to, text } = action;
  return { type: "reply_post", inReplyTo: platformId, to, text };
}
