import type { ReplyDm } from "../../../actions/reply-dm.ts";
import { isSameWithMedia } from "../../../actions/media.ts";
import { uploaded } from "./attached.ts";
import { type Candidate, DAY_MS, type Effect, QUARTER_HOUR_MS } from "./effect.ts";

const MESSAGES = {
  eventTypes: ["MessageCreate"],
  dmEventFields: ["created_at", "sender_id", "text"],
  maxResults: 100,
} as const;

/**
 * Consecutive messages with a date before the search that end the search. After the clock was set back, a message can
 * have an earlier date than the messages before it.
 */
const MAX_OLDER = 50;

export const replyDm: Effect<ReplyDm> = {
  endpoint: "POST /2/dm_conversations/with/:participant_id/messages",
  budget: [
    { limit: 15, windowMs: QUARTER_HOUR_MS, per: "account" },
    { limit: 1440, windowMs: DAY_MS, per: "account" },
    { limit: 1440, windowMs: DAY_MS, per: "app" },
  ],
  reads: {
    endpoint: "GET /2/dm_conversations/with/:user_id/dm_events",
    budget: [{ limit: 15, windowMs: QUARTER_HOUR_MS, per: "account" }],
  },
  async perform(client, _account, { to, conversation, text, media }, options) {
    const mediaId = await uploaded(client, media, "dm", options);
    const message = { text, ...(mediaId === undefined ? {} : { mediaId }) };
    const sent =
      conversation === undefined
        ? await client.dms.send({ participantId: to, ...message }, options)
        : await client.dms.sendTo({ conversationId: conversation, ...message }, options);
    const { dm_event_id: id, dm_conversation_id } = sent;
    return { platformId: id, result: { message_id: id, conversation_id: dm_conversation_id } };
  },
  async find(client, account, { to, conversation, ...said }, since, options) {
    const candidates: Candidate[] = [];
    const events =
      conversation === undefined
        ? client.dms.eventsWith(to, MESSAGES, options)
        : client.dms.eventsIn(conversation, MESSAGES, options);
    let older = 0;
    for await (const event of events) {
      older = Date.parse(event.created_at) < since ? older + 1 : 0;
      if (older >= MAX_OLDER) break;
      if (older > 0 || event.sender_id !== account) continue;
      if (isSameWithMedia(said, event.text ?? "")) candidates.push({ platformId: event.id });
    }
    return candidates.toReversed();
  },
};
