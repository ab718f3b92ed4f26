import { laneOf } from "./lane.ts";
import type { Delivery } from "./kinds/event-kind.ts";
import { personIn } from "./person.ts";
import { idAt, numberAt, objectAt, type Wire } from "./wire.ts";

/**
 * Reads the sender, receiver and time of a typing or reading event. All three are required, because these events have
 * no id.
 */
export function signalOf(element: Wire, { body, accountId }: Delivery) {
  const senderId = idAt(element, "sender_id");
  const recipientId = idAt(objectAt(element, "target"), "recipient_id");
  const at = numberAt(element, "created_timestamp");
  if (senderId === undefined || recipientId === undefined || at === undefined) return undefined;
  const own = senderId === accountId;
  return {
    signal: `${senderId}>${recipientId}:${at}`,
    occurred: {
      accountId,
      at,
      direction: own ? ("outbound" as const) : ("inbound" as const),
      lane: laneOf(accountId, own ? recipientId : senderId),
      sender: personIn(body, senderId),
    },
  };
}
