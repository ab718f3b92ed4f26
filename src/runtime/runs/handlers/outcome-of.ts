import type { SendOutcome } from "../../../bots/durable/send-outcome.ts";
import type { Item } from "../../store/item.ts";

/** What a handler is told of an item that it waits for. */
export function outcomeOf(item: Item | undefined): SendOutcome {
  if (item === undefined) return { status: "failed", reason: "it is not in the outbox any more" };
  const { status, action, platformId, settledAt = 0, reason } = item;
  if (status === "sent") {
    return {
      status,
      at: settledAt,
      ...(platformId !== undefined && { id: platformId }),
      ...("text" in action && { text: action.text }),
    };
  }
  const why = reason === undefined ? {} : { reason };
  return { status: status === "sending" ? "pending" : status, ...why };
}
