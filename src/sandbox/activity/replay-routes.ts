import { assumed, documented } from "../kernel/ledger.ts";
import { appOf } from "../auth/caller.ts";
import { bodyField } from "../server/body.ts";
import type { Route } from "../server/route.ts";
import { findWebhook } from "../model/webhooks.ts";
import { subscriptions } from "../model/activity.ts";
import { SECTION } from "./ledger.ts";
import { startReplay } from "./replay.ts";

/** Routes that request a replay: the documented endpoint, and a newer endpoint of the live service. */
export const replayRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/account_activity/replay/webhooks/:webhook_id/subscriptions/all",
    ledger: documented(SECTION, "`for_user_id` is the first subscribed user (assumed)."),
    auth: ["bearer"],
    limits: { app: 100 },
    handle: async ({ sandbox, caller, params, query }) => {
      const app = appOf(caller);
      const webhook = findWebhook(sandbox, app, params["webhook_id"] ?? "");
      const dates = { from: query.get("from_date"), to: query.get("to_date") };
      const job = await startReplay(sandbox, app, webhook, dates);
      // The interface returns one user id here, although the job covers all of the webhook's users.
      const first = subscriptions.in(sandbox.world).first("webhook", webhook.id);
      return {
        body: {
          for_user_id: first?.userId ?? "",
          replay_event: { job_id: job.id, created_at: new Date(job.createdAt).toISOString() },
        },
      };
    },
  },
  {
    method: "POST",
    path: "/2/webhooks/replay",
    ledger: assumed("As the live service's newer endpoint for replays."),
    auth: ["bearer"],
    limits: { app: 100 },
    handle: async (call) => {
      const { sandbox, caller } = call;
      const app = appOf(caller);
      const webhook = findWebhook(sandbox, app, text(bodyField(call.body, "webhook_id")));
      const dates = {
        from: bodyField(call.body, "from_date"),
        to: bodyField(call.body, "to_date"),
      };
      const job = await startReplay(sandbox, app, webhook, dates);
      const data = { job_id: job.id, created_at: new Date(job.createdAt).toISOString() };
      // The live service's API description in the tweet dialect has no `data` envelope here.
      return { body: call.dialect === "tweet" ? { data, ...data } : { data } };
    },
  },
];

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
