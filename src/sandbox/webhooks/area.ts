import type { Area } from "../server/route.ts";
import { webhookTable } from "../model/webhooks.ts";
import { assumed, documented, stricter } from "../kernel/ledger.ts";
import { routes } from "./routes.ts";
import { scheduleCheck } from "./rules.ts";

/** Callback URLs of apps and the challenges that keep them valid. */
export const webhooks: Area = {
  name: "webhooks",
  tables: [webhookTable],
  routes,
  behaviours: [
    {
      behaviour: "an hourly challenge sets `valid` to true or false",
      ...documented("States and transitions"),
    },
    {
      behaviour: "the challenge before a replay sets `valid`, too",
      ...documented("Webhook configuration", "`valid` is the result of the latest check."),
    },
    {
      behaviour: "a webhook's URL is accepted only in its normalized form",
      ...stricter("A URL that its parser changes is refused; the error shows the form to use."),
    },
    {
      behaviour: "challenges have a nonce, and a signature of their query string",
      ...assumed("Older guides of the live service describe it."),
    },
    {
      behaviour: "a challenge must be answered within 5 seconds",
      ...assumed("The documentation gives no time; a setting changes it."),
    },
    {
      behaviour: "free and basic plans have no webhook",
      ...assumed("The documentation names only pro and enterprise."),
    },
    {
      behaviour: "challenges and deliveries have the `Host` header of the registered URL",
      ...documented("Consumer-side endpoints that the service calls"),
    },
    {
      behaviour: "webhooks are managed with the app's bearer token only",
      ...documented(
        "Webhook management",
        "The live service's API descriptions 2.166 and 2.167 also allow OAuth 1.0a for three of the four requests.",
      ),
    },
    {
      behaviour: "the sandbox calls only hosts of its host table",
      ...stricter("So it never calls other machines."),
    },
  ],
  schedule(sandbox) {
    for (const webhook of webhookTable.in(sandbox.world).all()) scheduleCheck(sandbox, webhook);
  },
};
