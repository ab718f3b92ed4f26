import { appOf } from "../auth/caller.ts";
import type { Call, Route } from "../kernel/route.ts";
import { findWebhook } from "../webhooks/rules.ts";
import { subscriptions } from "./entities.ts";
import { startReplay } from "./replay.ts";

/** The documented way to ask for a replay, and the newer one beside it. */
export const replayRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/account_activity/replay/webhooks/:webhook_id/subscriptions/all",
    auth: ["bearer"],
    limits: { app: 100 },
    handle: async ({ sandbox, caller, params, query }) => {
      const app = appOf(caller);
      const webhook = findWebhook(sandbox, app, params["webhook_id"] ?? "");
      const dates = { from: query.get("from_date"), to: query.get("to_date") };
      const job = await startReplay(sandbox, app, webhook, dates);
      // The interface gives one user id here though the job covers all of the webhook's users.
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
    auth: ["bearer"],
    limits: { app: 100 },
    handle: async (call) => {
      const { sandbox, caller } = call;
      const app = appOf(caller);
      const webhook = findWebhook(sandbox, app, text(field(call, "webhook_id")));
      const dates = { from: field(call, "from_date"), to: field(call, "to_date") };
      const job = await startReplay(sandbox, app, webhook, dates);
      const told = { job_id: job.id, created_at: new Date(job.createdAt).toISOString() };
      // The live service's description in tweet words has no envelope here.
      return { body: call.dialect === "tweet" ? { data: told, ...told } : { data: told } };
    },
  },
];

function field({ body }: Call, name: string): unknown {
  if (body.kind === "form") return body.fields.get(name) ?? undefined;
  const value: unknown = body.kind === "json" ? body.value : undefined;
  return typeof value === "object" && value !== null
    ? new Map(Object.entries(value)).get(name)
    : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
