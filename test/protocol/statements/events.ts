import { hidden, type Sections, shown } from "./statement.ts";

const EVENTS = "activity/events.test.ts:";
const DELIVERY = "activity/delivery.test.ts:";
const SUBSCRIPTIONS = "activity/subscriptions.test.ts:";

export const EVENT_SECTIONS: Sections = {
  "Account activity event data object": [
    shown(
      "for_user_id names the subscription",
      `${EVENTS} goes once to each subscribed account involved`,
    ),
    shown(
      "is_blocked_by stands on mentions by a blocked user only",
      `${EVENTS} shows that the mentioned user has blocked the author`,
      `${EVENTS} reports a mention, with ids as whole numbers of all their digits`,
    ),
    shown(
      "user_has_blocked is true or false as text",
      `${EVENTS} shows that the mentioned user has blocked the author`,
      `${EVENTS} reports a mention, with ids as whole numbers of all their digits`,
    ),
    shown("source acts, target is acted upon", `${EVENTS} reports $type under $key`),
    shown(
      "message payloads show thirteen user fields",
      `${EVENTS} reports a direct message with both users, thirteen fields each`,
    ),
    hidden("the whole post and user objects are left open", "nothing is said to be held to"),
  ],
  "Delivery rules": [
    shown(
      "events begin up to ten seconds after subscribing",
      `${SUBSCRIPTIONS} delivers its first events after the configured delay, ten seconds at most`,
    ),
    shown(
      "two subscribed accounts bring one event each",
      `${EVENTS} goes once to each subscribed account involved`,
    ),
    shown(
      "several apps on one URL each cause a delivery",
      `${SUBSCRIPTIONS} of two apps to one URL brings each event twice`,
    ),
    shown("plain duplicates can occur", `${DELIVERY} $type: $why`),
    shown(
      "all incoming messages are delivered, and those sent to a user",
      `${EVENTS} reports a direct message with both users, thirteen fields each`,
      `${EVENTS} echoes a message the bot sent, with the app that sent it`,
    ),
    shown(
      "the home timeline is not delivered",
      `${SUBSCRIPTIONS} reports no posts that are only in the home timeline`,
    ),
    hidden(
      "delivered posts count toward the monthly cap",
      "its amount is not given, so that nothing can be seen to run out",
    ),
    hidden("retries are left open", "nothing is said to be held to; the sandbox's are assumed"),
    hidden("a filtered stream product is planned", "its shape is not given"),
    shown(
      "bodies are JSON by POST",
      "webhooks/webhooks.test.ts: signs deliveries with the consumer secret over the raw body",
    ),
  ],
  "Event kinds (top-level key of the body)": [
    shown(
      "post_create_events: posts, reposts, replies, mentions, quotes",
      `${EVENTS} reports replies, quotes and reposts of the account's posts, and of its own posts`,
      `${EVENTS} reports a mention, with ids as whole numbers of all their digits`,
    ),
    shown(
      "favorite_events: id, date text, milliseconds, post and user",
      `${EVENTS} reports a like of the account's post`,
    ),
    shown("follow_events: follow and unfollow", `${EVENTS} reports $type under $key`),
    shown("block_events: block and unblock", `${EVENTS} reports $type under $key`),
    shown("mute_events: mute and unmute", `${EVENTS} reports $type under $key`),
    shown(
      "user_event: revoke, with offset date and without for_user_id",
      `${EVENTS} ends the subscription and reports it when the user removes the app`,
    ),
    shown(
      "direct_message_events with apps and users",
      `${EVENTS} reports a direct message with both users, thirteen fields each`,
      `${EVENTS} echoes a message the bot sent, with the app that sent it`,
    ),
    shown("direct_message_indicate_typing_events", `${EVENTS} reports typing and reading`),
    shown(
      "direct_message_mark_read_events with last_read_event_id",
      `${EVENTS} reports typing and reading`,
    ),
    shown("post_delete_events", `${EVENTS} reports a deleted post`),
    hidden("spaces_events are not supported", "nothing is ever sent under the key"),
  ],
  "Replay job status events": [
    shown(
      "replay_job_status: webhook, job, state, description",
      `${DELIVERY} delivers the events of its window again, then its completion event`,
    ),
    shown(
      "Complete or Incomplete",
      `${DELIVERY} delivers the events of its window again, then its completion event`,
      `${DELIVERY} ends as Incomplete if an event is refused, without a retry`,
    ),
    shown(
      "after either another job may start",
      `${DELIVERY} refuses a second job while one runs`,
      `${DELIVERY} ends as Incomplete if an event is refused, without a retry`,
    ),
  ],
  "Longform posts": [
    shown(
      "text is shortened to 140, truncated is true, with its range",
      `${EVENTS} shortens a longform post and has the full text in a field of its own`,
    ),
    shown(
      "extended_post holds the whole text, entities and range",
      `${EVENTS} shortens a longform post and has the full text in a field of its own`,
    ),
  ],
  "Operation to event ties": [
    shown("a like brings favorite_events", `${EVENTS} reports a like of the account's post`),
    shown(
      "the send-to-user endpoint brings direct_message_events",
      `${EVENTS} echoes a message the bot sent, with the app that sent it`,
    ),
    shown(
      "a replay's end brings replay_job_status",
      `${DELIVERY} delivers the events of its window again, then its completion event`,
    ),
    shown(
      "removing the app brings user_event",
      `${EVENTS} ends the subscription and reports it when the user removes the app`,
    ),
  ],
};
