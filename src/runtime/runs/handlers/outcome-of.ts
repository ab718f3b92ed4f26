import type { SendOutcome } from "../../../bots/durable/send-outcome.ts";
import type { Item } from "../../store/item.ts";

/**
 * Outcome of an item, as a handler sees it that waits for it.
 *
 * @param ids Ids of the posts of a thread, where the item is its last one.
 */
export function outcomeOf(item: Item | undefined, ids: readonly string[] = []): SendOutcome {
  if (item === undefined) return { status: "failed", reason: "it is not in the outbox any more" };
  const { status, action, platformId, settledAt = 0, reason } = item;
  if (status === "sent") {
    return {
      status,
      at: settledAt,
      ...(platformId !== undefined && { id: platformId }),
      ...(ids.length > 1 && { ids }),
      ...("text" in action && { text: action.text }),
    };
  }
  const why = reason === undefined ? {} : { reason };
  return { status: status === "sending" ? "pending" : status, ...why };
}
