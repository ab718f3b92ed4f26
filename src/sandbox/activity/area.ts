import type { Area } from "../server/route.ts";
import { activities, openDeliveries, openReplays, subscriptions } from "../model/activity.ts";
import { resumeDeliveries } from "./deliver.ts";
import { resumeReplays } from "./replay.ts";
import { routes } from "./routes.ts";
import { assumed, documented } from "../kernel/ledger.ts";

const DELIVERY = documented("Delivery rules");

/** Account activity: subscriptions, deliveries to their webhooks, and replays. */
export const activity: Area = {
  name: "activity",
  tables: [subscriptions, activities, openDeliveries, openReplays],
  routes,
  behaviours: [
    { behaviour: "one event for each subscribed account involved", ...DELIVERY },
    {
      behaviour: "event payloads",
      ...documented(
        "Event kinds",
        "Objects of posts and users have the form of recorded bodies of the live service.",
      ),
    },
    {
      behaviour: "signature header of deliveries",
      ...assumed("sha256= and base64 HMAC-SHA256 of the raw body, keyed with the consumer secret."),
    },
    {
      behaviour: "retries after 3, 27 and 242 seconds, then the event is dropped",
      ...assumed("The documentation gives no rule for retries."),
    },
    {
      behaviour: "a delivery that waits is dropped when its subscription ends",
      ...assumed("The notice that the user has removed the authorization is still delivered."),
    },
    {
      behaviour: "events stop while a webhook is not valid",
      ...assumed("Missed events can be replayed."),
    },
    {
      behaviour: "deliveries about one account and one person arrive in order",
      ...assumed(
        "The live service guarantees no order; a fault can change it. A retry delays only deliveries about the same person.",
      ),
    },
    {
      behaviour: "direct messages are not delivered to an app whose permission level excludes them",
      ...documented("App permission levels (OAuth 1.0a)", "Other events are delivered."),
    },
    {
      behaviour: "replayed events are not retried",
      ...assumed("If an event of a replay job is not delivered, the job ends as Incomplete."),
    },
    {
      behaviour: "a replay brings no event from before the subscription",
      ...assumed(
        "Older guides of the live service describe it. A subscription that is made again counts as new.",
      ),
    },
    {
      behaviour: "each version of an edited post is delivered as a new post with its edit history",
      ...assumed(
        "Field names as in published descriptions. Posts that cannot be edited, such as replies, have no history.",
      ),
    },
    {
      behaviour:
        "people tagged in a picture receive the post, with a mention at the picture's link",
      ...assumed(
        "The live service has such mentions outside of the text range; their indices are a guess.",
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
      behaviour: "a quoted post that the receiver may not see has its id, but not its content",
      ...assumed("`quoted_status_id_str` and the permalink stay, as in recorded bodies."),
    },
    {
      behaviour: "`user_has_blocked` is in mentions and replies by others",
      ...assumed("The documentation shows the field in the body of a mention."),
    },
  ],
  schedule(sandbox) {
    resumeDeliveries(sandbox);
    resumeReplays(sandbox);
  },
};
