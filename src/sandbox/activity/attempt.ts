import type { App } from "../apps/entities.ts";
import type { Fault } from "../kernel/faults.ts";
import type { Outcome } from "../kernel/outlet.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { signatureHeader } from "../webhooks/challenge.ts";
import type { Webhook } from "../webhooks/entities.ts";
import { stringifyEvent } from "./wire.ts";

/** One body on its way to one webhook. */
export interface Parcel {
  readonly app: App;
  readonly webhook: Webhook;
  /** In the post dialect. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Top-level key, in the post dialect. */
  readonly event: string;
  readonly forUserId: string | null;
  readonly replayed: boolean;
}

/**
 * Sends a parcel once, faults included, and notes how it went.
 *
 * @returns true when nothing is left to try.
 */
export async function attempt(sandbox: Sandbox, parcel: Parcel, count: number): Promise<boolean> {
  const { webhook, event, forUserId } = parcel;
  const fault = sandbox.faults.strike({
    direction: "delivery",
    method: "POST",
    path: new URL(webhook.url).pathname,
    event,
    account: forUserId ?? undefined,
  });
  if (fault?.type === "reorder") {
    // The lane goes on, so that what comes after arrives before.
    const late = real(fault.ms ?? REORDER_MS).then(() => sendNoted(sandbox, parcel, count));
    sandbox.time.track(late.then(() => undefined));
    return true;
  }
  if (fault?.type === "delay") await held(sandbox, parcel, fault.ms ?? DELAY_MS);
  const sent = sendNoted(sandbox, parcel, count, fault);
  sandbox.time.track(sent.then(() => undefined));
  return sent;
}

const REORDER_MS = 250;
const DELAY_MS = 1_000;

/** A delayed delivery waits on the sandbox's clock; within a replay, which the clock waits for, in real time. */
function held({ time }: Sandbox, { replayed }: Parcel, ms: number): Promise<void> {
  if (replayed) return real(ms);
  return new Promise((resolve) => {
    time.at(time.now() + ms, async () => resolve());
  });
}

function real(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function sendNoted(
  sandbox: Sandbox,
  parcel: Parcel,
  count: number,
  fault?: Fault,
): Promise<boolean> {
  const { webhook, event, forUserId } = parcel;
  const { delivered, outcome } = await withFault(sandbox, parcel, fault);
  const record = sandbox.deliveries.add({
    at: new Date(sandbox.time.now()).toISOString(),
    app_id: parcel.app.id,
    webhook_id: webhook.id,
    url: webhook.url,
    event,
    for_user_id: forUserId,
    attempt: count,
    status: outcome.status,
    ms: outcome.ms,
    outcome: outcome.fault ?? (outcome.status === 200 ? "delivered" : "refused"),
    replayed: parcel.replayed,
  });
  sandbox.feed.tell("delivery", record);
  return delivered;
}

interface Result {
  readonly delivered: boolean;
  readonly outcome: Outcome;
}

const UNSENT: Outcome = { status: 0, body: "", ms: 0 };

async function withFault(
  sandbox: Sandbox,
  parcel: Parcel,
  fault: Fault | undefined,
): Promise<Result> {
  switch (fault?.type) {
    case "drop":
      // The service believes that it delivered: nothing is tried again.
      return { delivered: true, outcome: { ...UNSENT, fault: "dropped" } };
    case "timeout":
    case "cut":
      return { delivered: false, outcome: { ...UNSENT, fault: fault.type } };
    case "status":
    case "limit":
      return { delivered: false, outcome: { ...UNSENT, status: fault.status ?? 503 } };
    case "duplicate": {
      for (let extra = 1; extra < (fault.n ?? 2); extra += 1) await send(sandbox, parcel);
      return judged(await send(sandbox, parcel));
    }
    case "cut_after": {
      const outcome = await send(sandbox, parcel);
      return { delivered: false, outcome: { ...outcome, status: 0, fault: "cut_after" } };
    }
    case "delay":
    case "reorder":
    case "skew":
    case undefined:
      return judged(await send(sandbox, parcel));
  }
}

function judged(outcome: Outcome): Result {
  return { delivered: outcome.status === 200, outcome };
}

function send(sandbox: Sandbox, { app, webhook, body }: Parcel): Promise<Outcome> {
  const target = sandbox.hosts.resolve(webhook.url);
  if (target === undefined) return Promise.resolve({ ...UNSENT, fault: "host_not_in_table" });
  const text = stringifyEvent(body, app.dialect);
  return sandbox.outlet.call(target, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...signatureHeader(app.dialect, text, app.consumerSecret),
    },
    body: text,
    timeoutMs: sandbox.settings.timeouts.delivery_ms,
  });
}
