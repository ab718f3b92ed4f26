import { createHmac, timingSafeEqual } from "node:crypto";
import { type Dialect, SIGNATURE_HEADERS } from "../../interface/dialects.ts";
import type { App } from "../apps/entities.ts";
import type { Fault } from "../kernel/faults.ts";
import type { Target } from "../kernel/hosts.ts";
import type { Outcome } from "../kernel/outlet.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import type { Webhook } from "./entities.ts";

/** `sha256=` and the base64 HMAC-SHA256 of `payload`, keyed with the app's consumer secret. */
export function signPayload(payload: string, consumerSecret: string): string {
  return `sha256=${createHmac("sha256", consumerSecret).update(payload).digest("base64")}`;
}

/** The signature header of an app's deliveries and challenges. */
export function signatureHeader(
  dialect: Dialect,
  payload: string,
  secret: string,
): Record<string, string> {
  return { [SIGNATURE_HEADERS[dialect]]: signPayload(payload, secret) };
}

/**
 * Sends a challenge with a fresh token and judges the answer.
 *
 * @returns nothing when the URL passed, else a sentence that says why not.
 */
export async function challenge(
  sandbox: Sandbox,
  app: App,
  webhook: Pick<Webhook, "id" | "url">,
): Promise<string | undefined> {
  const target = sandbox.hosts.resolve(webhook.url);
  const { hostname, pathname } = new URL(webhook.url);
  if (target === undefined) {
    return `The host ${hostname} is not in the sandbox's host table; map it with PUT /_sandbox/hosts/${hostname}.`;
  }
  const crcToken = sandbox.world.random.letters(48);
  const nonce = sandbox.world.random.letters(20);
  const query = `crc_token=${crcToken}&nonce=${nonce}`;
  const { url } = target;
  url.search = url.search === "" ? query : `${url.search.slice(1)}&${query}`;
  const strikes = sandbox.faults.strike({
    direction: "challenge",
    method: "GET",
    path: pathname,
    event: "crc",
  });
  const outcome = await sendChallenge(sandbox, app, target, strikes);
  const fault = judge(outcome, signPayload(crcToken, app.consumerSecret));
  note(sandbox, app, webhook, outcome, fault);
  return fault;
}

async function sendChallenge(
  sandbox: Sandbox,
  app: App,
  target: Target,
  fault: Fault | undefined,
): Promise<Outcome> {
  if (fault !== undefined && fault.type !== "delay" && fault.type !== "cut_after") {
    const status = fault.type === "status" ? (fault.status ?? 503) : 0;
    return { status, body: "", ms: 0, ...(status === 0 ? { fault: fault.type } : {}) };
  }
  if (fault?.type === "delay")
    await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 1_000));
  const outcome = await sandbox.outlet.call(target, {
    method: "GET",
    headers: {
      accept: "application/json",
      ...signatureHeader(app.dialect, target.url.search.slice(1), app.consumerSecret),
    },
    timeoutMs: sandbox.settings.timeouts.challenge_ms,
  });
  return fault?.type === "cut_after" ? { ...outcome, status: 0, fault: "cut_after" } : outcome;
}

function judge({ status, body, fault }: Outcome, wanted: string): string | undefined {
  if (fault === "timeout") return "URL did not answer the CRC in time.";
  if (status === 0) return `URL could not be reached during CRC (${fault ?? "no answer"}).`;
  if (status !== 200) return `URL answered the CRC with status ${status}.`;
  const given = responseToken(body);
  if (given === undefined)
    return "URL returned bad response during CRC: no JSON with a `response_token`.";
  const left = Buffer.from(given);
  const right = Buffer.from(wanted);
  const same = left.length === right.length && timingSafeEqual(left, right);
  return same
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

function note(
  sandbox: Sandbox,
  app: App,
  webhook: Pick<Webhook, "id" | "url">,
  outcome: Outcome,
  fault: string | undefined,
): void {
  const record = sandbox.deliveries.add({
    at: new Date(sandbox.time.now()).toISOString(),
    app_id: app.id,
    webhook_id: webhook.id,
    url: webhook.url,
    event: "crc",
    for_user_id: null,
    attempt: 1,
    status: outcome.status,
    ms: outcome.ms,
    outcome: fault === undefined ? "passed" : fault,
    replayed: false,
  });
  sandbox.feed.tell("challenge", record);
}
