import { PLAN_LIMITS } from "../../protocol/limits.ts";
import { users } from "../model/accounts.ts";
import { apps, findApp, planOf } from "../model/apps.ts";
import { PORTAL } from "../server/control-input.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Route } from "../server/route.ts";
import { findWebhook, webhookTable } from "../model/webhooks.ts";
import { subscriptions } from "../model/activity.ts";
import { subscribedUsers, unsubscribe } from "./subscribe.ts";

/** Accounts whose activity an app's webhooks receive, and the maximum number that the plan allows. */
export interface PortalSubscriptions {
  readonly plan: string;
  /** Number of subscribed people, over all apps of the project. */
  readonly used: number;
  readonly limit: number;
  readonly subscriptions: readonly {
    readonly webhook_id: string;
    readonly user_id: string;
    readonly username: string;
    /** Time at which the subscription was created, in ISO 8601. */
    readonly created_at: string;
  }[];
}

/** Routes of the developer portal that list and end subscriptions. */
export const portalRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/apps/:id/subscriptions",
    ...PORTAL,
    handle: ({ sandbox, params }) => {
      const app = findApp(sandbox, params["id"] ?? "");
      const plan = planOf(sandbox, app);
      const people = users.in(sandbox.world);
      const body: PortalSubscriptions = {
        plan,
        used: subscribedUsers(sandbox, app).size,
        limit: PLAN_LIMITS[plan].subscriptions,
        subscriptions: subscriptions
          .in(sandbox.world)
          .where("app", app.id)
          .map(({ webhookId, userId, createdAt }) => ({
            webhook_id: webhookId,
            user_id: userId,
            username: people.get(userId)?.username ?? "",
            created_at: new Date(createdAt).toISOString(),
          })),
      };
      return { body };
    },
  },
  {
    method: "DELETE",
    path: "/_sandbox/webhooks/:id/subscriptions/:user_id",
    ...PORTAL,
    handle: ({ sandbox, params }) => {
      const id = params["id"] ?? "";
      const app = apps.in(sandbox.world).get(webhookTable.in(sandbox.world).get(id)?.appId ?? "");
      if (app === undefined) {
        throw ApiError.control(404, "unknown_webhook", `There is no webhook ${id}.`);
      }
      unsubscribe(sandbox, findWebhook(sandbox, app, id), params["user_id"] ?? "");
      return { body: { subscribed: false } };
    },
  },
];
