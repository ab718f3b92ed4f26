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
      behaviour: "hourly challenge, its result applied to `valid` both ways",
      ...documented("States and transitions"),
    },
    {
      behaviour: "the challenge before a replay is applied to `valid`, too",
      ...documented("Webhook configuration", "`valid` is the result of the latest check."),
    },
    {
      behaviour: "a webhook's URL is accepted only in its normalized form",
      ...stricter("Text that is parsed into another URL is refused, with the form to write."),
    },
    {
      behaviour: "challenges carry a nonce and are signed over their query string",
      ...assumed("Older guides of the live service describe it."),
    },
    {
      behaviour: "a challenge is answered within 5 seconds",
      ...assumed("The interface gives no time; a setting changes it."),
    },
    {
      behaviour: "free and basic plans have no webhook",
      ...assumed("The interface names pro and enterprise only."),
    },
    {
      behaviour: "challenges and deliveries carry the `Host` of the registered URL",
      ...documented("Consumer-side endpoints that the service calls"),
    },
    {
      behaviour: "only hosts of the host table are called",
      ...stricter("The sandbox never calls out."),
    },
  ],
  schedule(sandbox) {
    for (const webhook of webhookTable.in(sandbox.world).all()) scheduleCheck(sandbox, webhook);
  },
};
