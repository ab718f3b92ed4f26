import type { DeleteMessage } from "../../../actions/delete-message.ts";
import { DAY_MS, QUARTER_HOUR_MS, type UnshownEffect } from "./effect.ts";

/** Deletes a message. If the outcome is unknown, the request is repeated, which does no harm. */
export const deleteMessage: UnshownEffect<DeleteMessage> = {
  endpoint: "DELETE /2/dm_events/:event_id",
  budget: [
    { limit: 300, windowMs: QUARTER_HOUR_MS, per: "account" },
    { limit: 1_500, windowMs: DAY_MS, per: "account" },
    { limit: 4_000, windowMs: DAY_MS, per: "app" },
  ],
  async perform(client, _account, { eventId }, options) {
    const { deleted } = await client.dms.deleteEvent(eventId, options);
    return { result: { deleted } };
  },
};
