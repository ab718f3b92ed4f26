import { laneOf } from "../lane.ts";
import type { RevokedEvent } from "../event.ts";
import { SENDER, text } from "../fields.ts";
import { dateAt, idAt, objectAt, type Wire } from "../wire.ts";
import type { EventKind } from "./event-kind.ts";

export const revoked: EventKind<RevokedEvent> = {
  wire: { keys: ["user_event"], read },
  fields: { ...SENDER, "app.id": text((event) => event.appId) },
  counterpart: ({ sender }) => sender.id,
};

/**
 * Reads a revocation. The account is the person who removed the app's authorization: the delivery has no `for_user_id`.
 */
function read(element: Wire): RevokedEvent | undefined {
  const revoke = objectAt(element, "revoke");
  const userId = idAt(objectAt(revoke, "source"), "user_id");
  const appId = idAt(objectAt(revoke, "target"), "app_id");
  const at = dateAt(revoke, "date_time");
  if (userId === undefined || appId === undefined || at === undefined) return undefined;
  return {
    kind: "revoked",
    key: `revoked:${appId}:${userId}:${at}`,
    accountId: userId,
    at,
    direction: "inbound",
    lane: laneOf(userId, userId),
    triggers: ["account.authorization_revoked"],
    sender: { id: userId },
    appId,
  };
}
