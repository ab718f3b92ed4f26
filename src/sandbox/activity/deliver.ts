import { apps } from "../apps/entities.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { webhookTable } from "../webhooks/entities.ts";
import { attempt, type Parcel } from "./attempt.ts";
import { type Activity, subscriptions } from "./entities.ts";
import { lanes } from "./lanes.ts";
import { KEY_OF, renderActivity } from "./render.ts";

/** The parcel for one lane of an activity; nothing when webhook, app or facts are gone. */
export function parcelOf(
  { world }: Sandbox,
  activity: Activity,
  lane: string,
  replayed: boolean,
): Parcel | undefined {
  const [webhookId = "", userId = ""] = lane.split(":");
  const webhook = webhookTable.in(world).get(webhookId);
  const app = apps.in(world).get(webhook?.appId ?? "");
  const body = renderActivity(world, activity, userId);
  if (webhook === undefined || app === undefined || body === undefined) return undefined;
  const forUserId = activity.kind === "revoke" ? null : userId;
  return { app, webhook, body, event: KEY_OF[activity.kind], forUserId, replayed };
}

/** Queues an activity in each of its lanes. Bodies are rendered when their turn comes. */
export function dispatch(sandbox: Sandbox, activity: Activity): void {
  for (const lane of activity.lanes) {
    const due = dueAt(sandbox, activity, lane);
    const now = sandbox.time.now();
    if (due <= now) enqueue(sandbox, activity, lane);
    else sandbox.time.at(due, async () => enqueue(sandbox, activity, lane));
  }
}

function dueAt({ world, settings }: Sandbox, activity: Activity, lane: string): number {
  const { delivery_ms: wait, first_events_ms: first } = settings.delays;
  const since = subscriptions.in(world).first("pair", lane)?.createdAt ?? activity.at;
  return Math.max(activity.at + wait, since + first);
}

function enqueue(sandbox: Sandbox, activity: Activity, lane: string): void {
  lanes(sandbox).add(lane, () => deliverWithRetries(sandbox, activity, lane));
}

/** Tries until delivered or out of tries, waiting on the sandbox's clock. */
async function deliverWithRetries(
  sandbox: Sandbox,
  activity: Activity,
  lane: string,
): Promise<void> {
  const waits = sandbox.settings.retries_ms;
  for (let count = 1; ; count += 1) {
    const parcel = parcelOf(sandbox, activity, lane, false);
    if (parcel === undefined || !parcel.webhook.valid) return;
    if (await attempt(sandbox, parcel, count)) return;
    const wait = waits[count - 1];
    if (wait === undefined) return;
    await new Promise<void>((resolve) => {
      sandbox.time.at(sandbox.time.now() + wait, async () => resolve());
    });
  }
}
