import { hidden, type Sections, shown } from "./statement.ts";

const WEBHOOKS = "webhooks/webhooks.test.ts:";
const SUBSCRIPTIONS = "activity/subscriptions.test.ts:";
const LISTS = "ads/lists.test.ts:";
const DELIVERY = "activity/delivery.test.ts:";

export const LIMITS: Sections = {
  Endpoints: [
    shown(
      ":name in a path is a parameter",
      "activity/subscriptions.test.ts: refuse another app's webhook id: $method $path",
    ),
    shown(
      "advertising paths carry a version",
      "ads/access.test.ts: knows no version %s of conversion_event",
    ),
    shown("times are ISO 8601", "ads/conversion-event.test.ts: refuses $query: $why"),
  ],
  Limits: [
    shown(
      "pro: one webhook, one subscription",
      `${SUBSCRIPTIONS} is one for the whole account on the pro plan`,
    ),
    hidden("pro costs 5000 a month", "a price is no behaviour"),
    shown(
      "enterprise: five webhooks",
      `${WEBHOOKS} stops at five on the enterprise plan, over all apps of the project`,
    ),
    shown("enterprise: 5000 subscriptions", `${SUBSCRIPTIONS} is counted in four texts`),
    shown(
      "limits count per account, not per app",
      `${WEBHOOKS} stops at five on the enterprise plan, over all apps of the project`,
    ),
    shown(
      "webhook URLs: https, public, no port",
      `${WEBHOOKS} takes no $fault: $why`,
      `${WEBHOOKS} is accepted: $url, $why`,
      `${WEBHOOKS} is refused: $url, $says`,
    ),
    shown(
      "challenges at registration, hourly, on PUT",
      "webhooks/checks.test.ts: a challenge carries a fresh token each time",
    ),
    shown(
      "first events within ten seconds",
      `${SUBSCRIPTIONS} delivers its first events after the configured delay, ten seconds at most`,
    ),
    shown(
      "the replay window's ages, one job a webhook",
      `${DELIVERY} is refused when $why`,
      `${DELIVERY} refuses a second job while one runs`,
    ),
    shown(
      "apps per project: one, two, three",
      "apps/settings.test.ts: a $plan project holds $most",
    ),
    shown("ten callback URLs", "apps/settings.test.ts: take ten callback URLs"),
    shown(
      "280 characters before longform, 140 of the shortened text",
      "activity/events.test.ts: shortens a longform post and has the full text in a field of its own",
      "posts/writing/create.test.ts: may pass 280 characters for subscribers only, a link counting 23",
    ),
    shown(
      "count: 1 to 1000, 200 unless said",
      `${LISTS} takes 1 and 1000, and is 200 by default`,
      `${LISTS} refuses %s`,
    ),
    shown(
      "200 ids in one parameter",
      `${LISTS} takes 200 ids`,
      `${LISTS} refuses app_event_tag_ids: $why`,
    ),
    shown(
      "with_total_count: 200 requests in 15 minutes",
      `${LISTS} has a budget of 200 requests in 15 minutes`,
    ),
    hidden("a monthly cap on posts delivered", "its amount is not given"),
    hidden(
      "general rate limits are left open",
      "nothing is said to be held to; the sandbox's are assumed",
    ),
    hidden(
      "the time to answer a challenge is left open",
      "nothing is said to be held to; the sandbox's is a setting",
    ),
  ],
  Versioning: [
    shown(
      "data, webhook and activity paths begin with /2",
      "kernel/http/responses.test.ts: GET $path is $status: $why",
    ),
    shown(
      "advertising: 12, and 5 for paging",
      "ads/access.test.ts: returns the current version in every answer",
      `${LISTS} answers under version 5 too, with a warning`,
    ),
    shown(
      "version_number is echoed",
      "ads/conversion-event.test.ts: echoes the parameters as sent, with version_number, in request.params",
    ),
    shown(
      "OAuth 2.0 user tokens are for v2 only",
      "webhooks/checks.test.ts: an OAuth 2.0 user token is refused on version 1.1",
    ),
    shown(
      "OAuth 1.0a is for both",
      "login/oauth1/oauth1.test.ts: returns who the token acts for, with all digits of the id",
    ),
    shown(
      "a legacy account activity interface stands beside",
      "legacy/account-activity.test.ts: registers, subscribes, delivers, and undoes each",
    ),
    hidden("deprecation and migration are left open", "nothing is said to be held to"),
  ],
};
