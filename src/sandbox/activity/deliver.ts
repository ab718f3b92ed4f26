import { apps } from "../apps/entities.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { webhookTable } from "../webhooks/entities.ts";
import { attempt, type EventDelivery } from "./attempt.ts";
import { type ActivityRow, subscriptions } from "./entities.ts";
import { EVENT_KEY_OF, renderActivity } from "./render.ts";

/** The delivery of an activity in one lane; `undefined` when webhook, app or facts are deleted. */
export function deliveryFor(
  { world }: Sandbox,
  activity: ActivityRow,
  lane: string,
  replayed: boolean,
): EventDelivery | undefined {
  const [webhookId = "", userId = ""] = lane.split(":");
  const webhook = webhookTable.in(world).get(webhookId);
  const app = apps.in(world).get(webhook?.appId ?? "");
  const body = renderActivity(world, activity, userId);
  if (webhook === undefined || app === undefined || body === undefined) return undefined;
  const forUserId = activity.kind === "revoke" ? null : userId;
  return { app, webhook, body, event: EVENT_KEY_OF[activity.kind], forUserId, replayed };
}

/** Queues an activity in each of its lanes. Bodies are rendered when they are sent. */
export function dispatch(sandbox: Sandbox, activity: ActivityRow): void {
  for (const lane of activity.lanes) {
    const due = dueAt(sandbox, activity, lane);
    const now = sandbox.time.now();
    if (due <= now) enqueue(sandbox, activity, lane);
    else sandbox.time.at(due, async () => enqueue(sandbox, activity, lane));
  }
}

function dueAt({ world, settings }: Sandbox, activity: ActivityRow, lane: string): number {
  const { delivery_ms: delay, first_events_ms: first } = settings.delays;
  const since = subscriptions.in(world).first("pair", lane)?.createdAt ?? activity.at;
  return Math.max(activity.at + delay, since + first);
}

function enqueue(sandbox: Sandbox, activity: ActivityRow, lane: string): void {
  sandbox.lanes.add(lane, () => deliverWithRetries(sandbox, activity, lane));
}

/** Retries until it is delivered or no retry is left, waiting on the sandbox's clock. */
async function deliverWithRetries(
  sandbox: Sandbox,
  activity: ActivityRow,
  lane: string,
): Promise<void> {
  const delays = sandbox.settings.retries_ms;
  for (let count = 1; ; count += 1) {
    const delivery = deliveryFor(sandbox, activity, lane, false);
    if (delivery === undefined || !delivery.webhook.valid) return;
    if (await attempt(sandbox, delivery, count)) return;
    const delay = delays[count - 1];
    if (delay === undefined) return;
    await new Promise<void>((resolve) => {
      sandbox.time.at(sandbox.time.now() + delay, async () => resolve());
    });
  }
}
