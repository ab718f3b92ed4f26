import type { DeleteMessage } from "../../../actions/delete-message.ts";
import { deletedObject } from "./deleted.ts";
import { DAY_MS, type Effect, QUARTER_HOUR_MS } from "./effect.ts";

/** Deletes a message. The platform refuses a repetition, since the account does not see the message any more. */
export const deleteMessage: Effect<DeleteMessage> = {
  endpoint: "DELETE /2/dm_events/:event_id",
  budget: [
    { limit: 300, windowMs: QUARTER_HOUR_MS, per: "account" },
    { limit: 1_500, windowMs: DAY_MS, per: "account" },
    { limit: 4_000, windowMs: DAY_MS, per: "app" },
  ],
  reads: {
    endpoint: "GET /2/dm_events/:event_id",
    budget: [{ limit: 15, windowMs: QUARTER_HOUR_MS, per: "account" }],
  },
  async perform(client, _account, { eventId }, options) {
    const { deleted } = await client.dms.deleteEvent(eventId, options);
    return { result: { deleted } };
  },
  find: (client, _account, { eventId }, _since, options) =>
    deletedObject(eventId, () => client.dms.event(eventId, {}, options)),
};
