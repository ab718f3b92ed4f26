import { createHmac } from "node:crypto";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { type Dialect, SIGNATURE_HEADERS } from "../../protocol/dialects.ts";
import type { AppRow } from "../model/apps.ts";
import type { InjectedFault, MetFault } from "../kernel/delivery/faults.ts";
import type { LoopbackTarget } from "../kernel/delivery/hosts.ts";
import type { WebhookResult } from "../kernel/delivery/webhook-sender.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { WebhookRow } from "../model/webhooks.ts";
import { keepAttempt } from "./keep-exchange.ts";

/** Returns `sha256=` and the base64 HMAC-SHA256 of `payload`, keyed with the app's consumer secret. */
export function signPayload(payload: string, consumerSecret: string): string {
  return `sha256=${createHmac("sha256", consumerSecret).update(payload).digest("base64")}`;
}

/** Returns the signature header of an app's deliveries and challenges. */
export function signatureHeader(
  dialect: Dialect,
  payload: string,
  secret: string,
): Record<string, string> {
  return { [SIGNATURE_HEADERS[dialect]]: signPayload(payload, secret) };
}

/**
 * Sends a challenge with a new token and checks the response.
 *
 * @returns `undefined` when the URL passed, else a sentence with the reason.
 */
export async function challenge(
  sandbox: Sandbox,
  app: AppRow,
  webhook: Pick<WebhookRow, "id" | "url">,
): Promise<string | undefined> {
  const target = sandbox.hosts.resolve(webhook.url);
  const { hostname, pathname } = new URL(webhook.url);
  if (target === undefined) {
    return `The host ${hostname} is not in the sandbox's host table; map it with PUT /_sandbox/hosts/${hostname}.`;
  }
  const crcToken = sandbox.world.random.alphanumeric(48);
  const nonce = sandbox.world.random.alphanumeric(20);
  const query = `crc_token=${crcToken}&nonce=${nonce}`;
  const { url } = target;
  url.search = url.search === "" ? query : `${url.search.slice(1)}&${query}`;
  const injected = sandbox.faults.trigger({
    direction: "challenge",
    method: "GET",
    path: pathname,
    event: "crc",
  });
  const result = await sendChallenge(sandbox, app, target, injected);
  const fault = faultOf(result, signPayload(crcToken, app.consumerSecret));
  const sentRequest = { query: url.search.slice(1), met: injected };
  logChallenge(sandbox, app, webhook, { result, fault, sentRequest });
  return fault;
}

async function sendChallenge(
  sandbox: Sandbox,
  app: AppRow,
  target: LoopbackTarget,
  fault: InjectedFault | undefined,
): Promise<WebhookResult> {
  if (fault !== undefined && fault.type !== "delay" && fault.type !== "cut_after") {
    const status = fault.type === "status" ? (fault.status ?? 503) : 0;
    return { status, body: "", ms: 0, ...(status === 0 ? { fault: fault.type } : {}) };
  }
  if (fault?.type === "delay")
    await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 1_000));
  await sandbox.keep();
  const result = await sandbox.webhookSender.send(target, {
    method: "GET",
    headers: {
      accept: "application/json",
      ...signatureHeader(app.dialect, target.url.search.slice(1), app.consumerSecret),
    },
    timeoutMs: sandbox.settings.timeouts.challenge_ms,
  });
  return fault?.type === "cut_after" ? { ...result, status: 0, fault: "cut_after" } : result;
}

function faultOf({ status, body, fault }: WebhookResult, expected: string): string | undefined {
  if (fault === "timeout") return "URL did not answer the CRC in time.";
  if (status === 0) return `URL could not be reached during CRC (${fault ?? "no answer"}).`;
  if (status !== 200) return `URL answered the CRC with status ${status}.`;
  const receivedToken = responseToken(body);
  if (receivedToken === undefined)
    return "URL returned bad response during CRC: no JSON with a `response_token`.";
  return constantTimeEqual(receivedToken, expected)
    ? undefined
    : "URL returned bad response during CRC with error: Invalid `response_token`";
}

function responseToken(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("response_token" in parsed))
      return undefined;
    return typeof parsed.response_token === "string" ? parsed.response_token : undefined;
  } catch {
    return undefined;
  }
}

function logChallenge(
  sandbox: Sandbox,
  app: AppRow,
  webhook: Pick<WebhookRow, "id" | "url">,
  {
    result,
    fault,
    sentRequest,
  }: {
    readonly result: WebhookResult;
    readonly fault: string | undefined;
    readonly sentRequest: { readonly query: string; readonly met: MetFault | undefined };
  },
): void {
  const webhookAttempt = {
    app_id: app.id,
    webhook_id: webhook.id,
    url: webhook.url,
    event: "crc",
    for_user_id: null,
    attempt: 1,
    outcome: fault === undefined ? "passed" : fault,
    replayed: false,
    activity_id: null,
  };
  sandbox.feed.publish("challenge", keepAttempt(sandbox, result, webhookAttempt, sentRequest));
}
