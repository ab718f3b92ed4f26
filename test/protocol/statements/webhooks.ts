import { hidden, type Sections, shown } from "./statement.ts";

const WEBHOOKS = "webhooks/webhooks.test.ts:";
const SUBSCRIPTIONS = "activity/subscriptions.test.ts:";
const DELIVERY = "activity/delivery.test.ts:";
const EVENTS = "activity/events.test.ts:";

export const WEBHOOK_SECTIONS: Sections = {
  "Webhook configuration": [
    shown(
      "id, url, valid and created_at",
      `${WEBHOOKS} answers with the configuration once the challenge has passed`,
    ),
    shown("url is https without a port", `${WEBHOOKS} takes no $fault: $why`),
    shown(
      "valid is the latest challenge's result",
      `${WEBHOOKS} turns invalid at the hourly check and valid again at the next`,
    ),
    shown(
      "created_at has milliseconds",
      `${WEBHOOKS} answers with the configuration once the challenge has passed`,
    ),
  ],
  "Subscription records": [
    shown(
      "status: subscribed",
      `${SUBSCRIPTIONS} is made by its user, read by its user, and ended by the app`,
    ),
    shown(
      "list: application, webhook, URL and user ids",
      `${SUBSCRIPTIONS} is in the list with app, webhook and URL`,
    ),
    shown("count: four texts, messages-only always 0", `${SUBSCRIPTIONS} is counted in four texts`),
    shown(
      "replay job: for_user_id, job_id and created_at",
      `${DELIVERY} delivers the events of its window again, then its completion event`,
    ),
  ],
  "States and transitions": [
    shown(
      "a webhook comes into being once its challenge passes",
      `${WEBHOOKS} answers with the configuration once the challenge has passed`,
    ),
    shown(
      "it does not where challenge, URL, uniqueness or limit fail",
      `${WEBHOOKS} refuses in the documented envelope`,
      `${WEBHOOKS} takes no $fault: $why`,
      `${WEBHOOKS} stops at five on the enterprise plan, over all apps of the project`,
    ),
    shown(
      "PUT makes an invalid one valid",
      `${WEBHOOKS} turns invalid at the hourly check and valid again at the next`,
      "webhooks/checks.test.ts: PUT makes an invalid webhook valid again",
    ),
    shown(
      "DELETE removes one of the app's own",
      `${WEBHOOKS} is listed, and the list is empty after it is deleted`,
      "webhooks/checks.test.ts: refuses $method of a webhook that is $why",
    ),
    shown(
      "the hourly challenge sets valid",
      `${WEBHOOKS} turns invalid at the hourly check and valid again at the next`,
    ),
    shown(
      "subscribing needs a valid id, no subscription yet, and room",
      `${SUBSCRIPTIONS} is refused a second time on the same webhook`,
      `${SUBSCRIPTIONS} is one for the whole account on the pro plan`,
    ),
    shown(
      "events start within ten seconds",
      `${SUBSCRIPTIONS} delivers its first events after the configured delay, ten seconds at most`,
    ),
    shown(
      "DELETE ends a subscription",
      `${SUBSCRIPTIONS} is made by its user, read by its user, and ended by the app`,
    ),
    shown(
      "removing the app ends it and sends a revoke",
      `${EVENTS} ends the subscription and reports it when the user removes the app`,
    ),
    shown("a replay starts where none runs", `${DELIVERY} refuses a second job while one runs`),
    shown(
      "it ends Complete when all was taken",
      `${DELIVERY} delivers the events of its window again, then its completion event`,
    ),
    shown(
      "it ends Incomplete when not",
      `${DELIVERY} ends as Incomplete if an event is refused, without a retry`,
    ),
    shown(
      "a deleted tag stays, marked",
      "ads/app-event-tags.test.ts: returns the tag back with deleted true, and echoes both path parameters",
    ),
    hidden("how a tag's status changes is left open", "nothing is said to be held to"),
    shown(
      "the log-in's three steps follow each other",
      "login/oauth1/oauth1.test.ts: is refused before the user approved, to another app, and without a request token",
    ),
    shown(
      "a change of level voids tokens",
      "apps/settings.test.ts: a change voids the tokens issued before; signing in again brings new ones",
    ),
    shown(
      "a suspended app is shut out",
      "apps/settings.test.ts: refuses every call of the app until it is lifted",
    ),
  ],
  "Webhook management": [
    shown(
      "POST /2/webhooks takes {url} and answers the configuration",
      `${WEBHOOKS} answers with the configuration once the challenge has passed`,
    ),
    shown(
      "GET lists, an empty list when none, with result_count",
      `${WEBHOOKS} is listed, and the list is empty after it is deleted`,
    ),
    shown(
      "DELETE answers deleted",
      `${WEBHOOKS} is listed, and the list is empty after it is deleted`,
    ),
    shown("PUT answers valid", "webhooks/checks.test.ts: PUT makes an invalid webhook valid again"),
    shown(
      "all take the app-only token only",
      "webhooks/checks.test.ts: $method takes the app-only token only",
    ),
    shown(
      "a PUT's answer is confirmed by GET",
      "webhooks/checks.test.ts: PUT makes an invalid webhook valid again",
    ),
  ],
  "Consumer-side endpoints that the service calls": [
    shown(
      "GET carries crc_token; the answer is sha256= and the base64 HMAC",
      "webhooks/checks.test.ts: a challenge carries a fresh token each time",
    ),
    shown(
      "POST carries a JSON event",
      `${WEBHOOKS} signs deliveries with the consumer secret over the raw body`,
    ),
    shown(
      "challenges come at registration, hourly and on PUT",
      "webhooks/checks.test.ts: a challenge carries a fresh token each time",
    ),
  ],
  "Account activity": [
    shown(
      "POST subscribes, GET tells, DELETE ends",
      `${SUBSCRIPTIONS} is made by its user, read by its user, and ended by the app`,
    ),
    shown(
      "the list names application, webhook, URL and users",
      `${SUBSCRIPTIONS} is in the list with app, webhook and URL`,
    ),
    shown(
      "the count tells name, provision and numbers",
      `${SUBSCRIPTIONS} is counted in four texts`,
    ),
    shown(
      "POST replay answers for_user_id and replay_event",
      `${DELIVERY} delivers the events of its window again, then its completion event`,
    ),
    shown("dates are yyyymmddhhmm in UTC", `${SUBSCRIPTIONS} is refused with $why`),
    shown(
      "from_date is inclusive, to_date exclusive",
      `${SUBSCRIPTIONS} includes from_date and leaves to_date out, by the minute`,
    ),
    shown(
      "from_date: within 24 hours, 31 minutes old, not after to_date",
      `${DELIVERY} is refused when $why`,
      `${DELIVERY} may start exactly 24 hours ago`,
    ),
    shown("to_date: within 24 hours, 10 minutes old", `${DELIVERY} is refused when $why`),
    hidden("about two hours between the dates are recommended", "advice, not a rule"),
    shown("one job per webhook", `${DELIVERY} refuses a second job while one runs`),
    shown("all is the only product and delivers every kind", `${EVENTS} reports $type under $key`),
  ],
  "Webhook and account activity errors": [
    shown(
      "the envelope: errors, title, detail, type",
      `${WEBHOOKS} refuses in the documented envelope`,
    ),
    shown(
      "CrcValidationFailed: POST, PUT, replay",
      `${WEBHOOKS} fails when the receiver signs with another secret`,
      `${WEBHOOKS} turns invalid at the hourly check and valid again at the next`,
      `${SUBSCRIPTIONS} is not opened when the URL fails its challenge`,
    ),
    shown(
      "a receiver that never answers fails it",
      `${WEBHOOKS} fails within ten seconds when the receiver never answers`,
    ),
    shown("UrlValidationFailed: not https, bad form", `${WEBHOOKS} takes no $fault: $why`),
    shown("DuplicateUrlFailed", `${WEBHOOKS} refuses in the documented envelope`),
    shown(
      "WebhookLimitExceeded",
      `${WEBHOOKS} stops at five on the enterprise plan, over all apps of the project`,
    ),
    shown(
      "WebhookIdInvalid: DELETE, PUT, subscriptions, replay",
      "webhooks/checks.test.ts: refuses $method of a webhook that is $why",
      `${SUBSCRIPTIONS} refuse another app's webhook id: $method $path`,
    ),
    shown(
      "DuplicateSubscriptionFailed",
      `${SUBSCRIPTIONS} is refused a second time on the same webhook`,
    ),
    shown(
      "SubscriptionLimitExceeded",
      `${SUBSCRIPTIONS} is one for the whole account on the pro plan`,
    ),
    shown("SubscriptionNotFound", `${SUBSCRIPTIONS} that does not exist can't be ended`),
    shown(
      "QueryParamInvalid, in five cases",
      `${DELIVERY} is refused when $why`,
      `${SUBSCRIPTIONS} is refused with $why`,
    ),
    shown("ReplayConflictError", `${DELIVERY} refuses a second job while one runs`),
  ],
};
