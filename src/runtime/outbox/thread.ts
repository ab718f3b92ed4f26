import type { Action } from "../../actions/actions.ts";
import { weightedLength } from "../../protocol/public-text/length.ts";
import { POST_LENGTH } from "../../protocol/limits.ts";
import type { Item } from "../store/item.ts";
import type { ReadPort } from "../store/store.ts";
import {
  type FurtherPost,
  isFurtherPost,
  itemBefore,
  itemsOfThread,
  MAX_ITEMS_OF_EVENT,
} from "../store/thread.ts";

/** Whether an item can be sent after the previous post of its thread of posts. */
export type PlaceInThread =
  /** The item can be sent. Its action is now a reply to the previous post. */
  | { readonly kind: "ready"; readonly item: Item }
  /**
   * The item is not sent. `held`: the previous post is held back. `given-up`: the previous post is not known to be
   * published.
   */
  | { readonly kind: "held" | "given-up"; readonly reason: string };

/**
 * Checks whether an item can be sent after the previous post of its thread. An item that continues no thread is ready,
 * and unchanged.
 */
export async function placeInThread(
  store: Pick<ReadPort, "items">,
  item: Item,
): Promise<PlaceInThread> {
  const { action, account, seq } = item;
  if (!isFurtherPost(action)) return { kind: "ready", item };
  const items = await store.items({ seq, limit: MAX_ITEMS_OF_EVENT });
  const before = itemBefore(account, action, items);
  if (before === undefined) {
    const reason = `${NOT_SENT}the post before it is no longer in the outbox`;
    return { kind: "given-up", reason };
  }
  const { status, reason } = before;
  if (status === "sent") {
    return { kind: "ready", item: { ...item, action: answering(action, before.platformId) } };
  }
  const which = `post ${itemsOfThread(before, items).length} of the thread`;
  if (status === "held") return { kind: "held", reason: `waits for ${which}, which is held back` };
  if (reason?.startsWith(NOT_SENT) === true) return { kind: "given-up", reason };
  const why = reason === undefined ? "" : `: ${reason}`;
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

/** Prefix of the reason that all posts after the failed post of a thread get. */
const NOT_SENT = "not sent: ";

const STATES = {
  pending: "is not sent",
  sending: "is not sent",
  unknown: "may have been published; its outcome is unknown",
  failed: "failed",
  expired: "was given up",
} as const;

/** Returns the action as a reply to the previous post; unchanged in a dry run, which has no ids. */
function answering(action: FurtherPost, platformId: string | undefined): Action {
  if (platformId === undefined) return action;
  const { to, text } = action;
  return { type: "reply_post", inReplyTo: platformId, to, text };
}
