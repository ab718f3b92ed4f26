import { assumed, type BehaviourRow, documented } from "../kernel/ledger.ts";

/** Section of the interface that describes subscriptions and replays. */
export const SECTION = "Account activity";

const DELIVERY = documented("Delivery rules");

export const behaviours: readonly BehaviourRow[] = [
  { behaviour: "one event for each subscribed account involved", ...DELIVERY },
  {
    behaviour: "event payloads",
    ...documented(
      "Event kinds",
      "Objects of posts and users follow recorded bodies of the live service.",
    ),
  },
  {
    behaviour: "signature header of deliveries",
    ...assumed("sha256= and base64 HMAC-SHA256 of the raw body, keyed with the consumer secret."),
  },
  {
    behaviour: "retries after 3, 27 and 242 seconds, then the event is dropped",
    ...assumed("The interface shows no retry rule."),
  },
  {
    behaviour: "events stop while a webhook is not valid",
    ...assumed("They stay replayable."),
  },
  {
    behaviour: "order of deliveries about one account and one person is kept",
    ...assumed(
      "The live service gives no guarantee; faults reorder. A retry holds up deliveries about the same person only.",
    ),
  },
  {
    behaviour: "direct messages are not delivered to an app whose permission level excludes them",
    ...documented("App permission levels (OAuth 1.0a)", "Subscription and other events stay."),
  },
  {
    behaviour: "replayed events are not retried",
    ...assumed("A job that missed one ends Incomplete."),
  },
  {
    behaviour: "each version of an edited post is delivered as a new post with its edit history",
    ...assumed(
      "Field names as in published descriptions. Posts that cannot be edited, such as replies, have no history.",
    ),
  },
  {
    behaviour: "people tagged in a picture receive the post, as mentions at the place of its link",
    ...assumed(
      "The live service has such mentions outside of the range; their indices are a guess.",
    ),
  },
  {
    behaviour:
      "a post is not delivered to an account that may not see it (a protected author) or that has muted its author",
    ...assumed(
      "Older guides of the live service describe it. Deletions are delivered to all involved.",
    ),
  },
  {
    behaviour: "a quoted post that the receiver may not see is named, but not included",
    ...assumed("`quoted_status_id_str` and the permalink stay, as in recorded bodies."),
  },
  {
    behaviour: "`user_has_blocked` stands on mentions and replies by others",
    ...assumed("The interface shows it in the mention payload."),
  },
];
