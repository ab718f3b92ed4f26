import type { Dialect } from "../../protocol/dialects.ts";
import type { AppRow } from "../model/apps.ts";
import { countPosts, isPostCapReached, isPostEvent } from "../model/post-usage.ts";
import type { InjectedFault, MetFault } from "../kernel/delivery/faults.ts";
import type { WebhookResult } from "../kernel/delivery/webhook-sender.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { keepAttempt } from "../webhooks/keep-exchange.ts";
import { signatureHeader } from "../webhooks/challenge.ts";
import type { WebhookRow } from "../model/webhooks.ts";

/** An event body to be sent to one webhook. */
export interface EventDelivery {
  readonly app: AppRow;
  readonly webhook: WebhookRow;
  /** Returns the body as sent over the wire. */
  readonly textIn: (dialect: Dialect) => string;
  /** Name of the event: the body's top-level key in the post dialect, or the activity interface's event type. */
  readonly event: string;
  /** Id of the activity in the body; absent for a replay status event. */
  readonly activityId?: string;
  readonly forUserId: string | null;
  readonly replayed: boolean;
}

/** Result of one attempt to deliver an event. */
export interface Attempt {
  /** Whether the delivery needs no further attempt. */
  readonly isOver: boolean;
  /** Resolves when the request has arrived or failed. A fault may delay the request until after this attempt. */
  readonly arrival: Promise<void>;
}

/** Sends a delivery once, faults included, and logs the result. */
export async function attempt(
  sandbox: Sandbox,
  delivery: EventDelivery,
  count: number,
): Promise<Attempt> {
  const { webhook, event, forUserId } = delivery;
  const fault = sandbox.faults.trigger({
    direction: "delivery",
    method: "POST",
    path: new URL(webhook.url).pathname,
    event,
    account: forUserId ?? undefined,
  });
  if (fault?.type === "reorder") {
    // Fault `reorder`: ends the attempt at once, so that the next delivery of the queue overtakes this one.
    const delayed = sleep(fault.ms ?? REORDER_MS).then(() =>
      sendAndLog(sandbox, delivery, count, fault),
    );
    const arrival = delayed.then(() => undefined);
    sandbox.time.track(arrival);
    return { isOver: true, arrival };
  }
  if (fault?.type === "delay") await delayDelivery(sandbox, delivery, fault.ms ?? DELAY_MS);
  const sent = sendAndLog(sandbox, delivery, count, fault);
  sandbox.time.track(sent.then(() => undefined));
  return { isOver: await sent, arrival: Promise.resolve() };
}

/** Event that reports the end of a replay, sent as the job's last step. */
export const REPLAY_STATUS = "replay_job_status";
const REORDER_MS = 250;
const DELAY_MS = 1_000;

/** Waits by the sandbox's clock; during a replay in real time, because a move of the clock waits for the replay. */
function delayDelivery({ time }: Sandbox, delivery: EventDelivery, ms: number): Promise<void> {
  if (delivery.replayed || delivery.event === REPLAY_STATUS) return sleep(ms);
  return new Promise((resolve) => {
    time.at(time.now() + ms, async () => resolve());
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function sendAndLog(
  sandbox: Sandbox,
  delivery: EventDelivery,
  count: number,
  met?: MetFault,
): Promise<boolean> {
  const { webhook, event, forUserId } = delivery;
  const { delivered, result } = await sendWithFault(sandbox, delivery, met);
  const webhookAttempt = {
    app_id: delivery.app.id,
    webhook_id: webhook.id,
    url: webhook.url,
    event,
    for_user_id: forUserId,
    attempt: count,
    outcome: result.fault ?? (result.status === 200 ? "delivered" : "refused"),
    replayed: delivery.replayed,
    activity_id: delivery.activityId ?? null,
  };
  sandbox.feed.publish("delivery", keepAttempt(sandbox, result, webhookAttempt, { met }));
  return delivered;
}

interface AttemptResult {
  readonly delivered: boolean;
  readonly result: WebhookResult;
}

const NOT_SENT: WebhookResult = { status: 0, body: "", ms: 0 };

async function sendWithFault(
  sandbox: Sandbox,
  delivery: EventDelivery,
  fault: InjectedFault | undefined,
): Promise<AttemptResult> {
  switch (fault?.type) {
    case "drop":
      // The platform counts a dropped delivery as delivered, so nothing is retried.
      return { delivered: true, result: { ...NOT_SENT, fault: "dropped" } };
    case "timeout":
    case "cut":
      return { delivered: false, result: { ...NOT_SENT, fault: fault.type } };
    case "status":
    case "limit":
      return { delivered: false, result: { ...NOT_SENT, status: fault.status ?? 503 } };
    case "duplicate": {
      for (let extra = 1; extra < (fault.n ?? 2); extra += 1) await send(sandbox, delivery);
      return resultOf(await send(sandbox, delivery));
    }
    case "cut_after": {
      const result = await send(sandbox, delivery);
      return { delivered: false, result: { ...result, status: 0, fault: "cut_after" } };
    }
    case "delay":
    case "reorder":
    case "skew":
    // These faults affect streams only.
    case "end":
    case "disconnect":
    case "stall":
    case undefined:
      return resultOf(await send(sandbox, delivery));
  }
}

function resultOf(result: WebhookResult): AttemptResult {
  return { delivered: result.status === 200, result };
}

async function send(
  sandbox: Sandbox,
  { app, webhook, textIn, event }: EventDelivery,
): Promise<WebhookResult> {
  const target = sandbox.hosts.resolve(webhook.url);
  if (target === undefined) return { ...NOT_SENT, fault: "host_not_in_table" };
  if (isPostEvent(event) && isPostCapReached(sandbox, app))
    return { ...NOT_SENT, fault: "post_cap_reached" };
  try {
    await sandbox.keep();
  } catch {
    // The feed has the reason. Like a request without an answer, the delivery is tried again.
    return { ...NOT_SENT, fault: "not_stored" };
  }
  const text = textIn(app.dialect);
  const result = await sandbox.webhookSender.send(target, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...signatureHeader(app.dialect, text, app.consumerSecret),
    },
    body: text,
    timeoutMs: sandbox.settings.timeouts.delivery_ms,
  });
  if (isPostEvent(event) && result.status === 200) countPosts(sandbox, app, 1);
  return result;
}
