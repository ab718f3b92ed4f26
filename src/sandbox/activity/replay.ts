import type { Dialect } from "../../protocol/dialects.ts";
import {
  REPLAY_FROM_MIN_AGE_MS,
  REPLAY_TO_MIN_AGE_MS,
  REPLAY_WINDOW_MS,
} from "../../protocol/limits.ts";
import { type AppRow, apps } from "../model/apps.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { checkWebhook } from "../webhooks/rules.ts";
import { type WebhookRow, webhookTable } from "../model/webhooks.ts";
import {
  activities,
  type ActivityRow,
  isDuringSubscription,
  openReplays,
  type OpenReplayRow,
  subscriptions,
} from "../model/activity.ts";
import { renderReplayStatus } from "../rendering/events/account-activity.ts";
import { stringifyEvent } from "../rendering/events/wire.ts";
import { attempt, REPLAY_STATUS } from "./attempt.ts";
import { deliveryFor } from "./deliver.ts";

const MINUTE_MS = 60_000;
const MAX_CONCURRENT = 64;

/** Replay that the sandbox has accepted and will run; fields of the response to the request for the replay. */
export interface AcceptedReplay {
  readonly id: string;
  readonly createdAt: number;
}

/**
 * Starts to deliver the events of the period `[from, to)` again; returns before the job ends.
 *
 * @throws {ApiError} `QueryParamInvalid`, `ReplayConflictError` or `CrcValidationFailed`.
 */
export async function startReplay(
  sandbox: Sandbox,
  app: AppRow,
  webhook: WebhookRow,
  dates: { readonly from: unknown; readonly to: unknown },
): Promise<AcceptedReplay> {
  const window = replayWindow(dates, sandbox.time.now());
  const jobs = sandbox.runningReplays;
  if (jobs.has(webhook.id)) {
    throw ApiError.reason(
      "ReplayConflictError",
      "A replay job is already running for this webhook.",
    );
  }
  jobs.add(webhook.id);
  try {
    const failed = await checkWebhook(sandbox, app, webhook);
    if (failed !== undefined) throw ApiError.reason("CrcValidationFailed", failed);
    const job = openReplays.in(sandbox.world).put({
      id: sandbox.world.ids.next(),
      webhookId: webhook.id,
      createdAt: sandbox.time.now(),
      ...window,
    });
    begin(sandbox, job);
    return job;
  } catch (error) {
    jobs.delete(webhook.id);
    throw error;
  }
}

/** Restarts the replay jobs that were running when the world was saved, each from the start of its period. */
export function resumeReplays(sandbox: Sandbox): void {
  for (const job of openReplays.in(sandbox.world).all()) {
    sandbox.runningReplays.add(job.webhookId);
    begin(sandbox, job);
  }
}

function begin(sandbox: Sandbox, job: OpenReplayRow): void {
  const longest = sandbox.settings.delays.replay_ms;
  const wait = Math.min(longest, job.createdAt + longest - sandbox.time.now());
  const jobs = sandbox.runningReplays;
  const run = (): Promise<void> =>
    runJob(sandbox, job).finally(() => {
      openReplays.in(sandbox.world).delete(job.id);
      jobs.delete(job.webhookId);
    });
  if (wait <= 0) sandbox.time.track(run());
  else sandbox.time.at(sandbox.time.now() + wait, run);
}

interface ReplayWindow {
  readonly from: number;
  readonly to: number;
}

/** Parses the dates of a replay. @throws {ApiError} `QueryParamInvalid` that names the parameter. */
export function replayWindow(
  dates: { readonly from: unknown; readonly to: unknown },
  now: number,
): ReplayWindow {
  const from = minute("from_date", dates.from);
  const to = minute("to_date", dates.to);
  // Dates have no seconds: the time 24 hours ago is rounded down, so that its minute is still accepted.
  const oldest = Math.floor((now - REPLAY_WINDOW_MS) / MINUTE_MS) * MINUTE_MS;
  const refuse = (details: string): never => {
    throw ApiError.reason("QueryParamInvalid", details);
  };
  if (from > now) refuse("from_date must be in the past.");
  if (to > now) refuse("to_date must be in the past.");
  if (from > to) refuse("from_date must not be later than to_date.");
  if (from < oldest) refuse("from_date must be within the last 24 hours.");
  if (to < oldest) refuse("to_date must be within the last 24 hours.");
  if (now - from < REPLAY_FROM_MIN_AGE_MS)
    refuse("from_date must be at least 31 minutes before now.");
  if (now - to < REPLAY_TO_MIN_AGE_MS) refuse("to_date must be at least 10 minutes before now.");
  return { from, to };
}

function minute(name: string, value: unknown): number {
  const text = typeof value === "string" ? value : "";
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  const iso =
    parts === null ? "" : `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:00.000Z`;
  const at = Date.parse(iso);
  if (!Number.isNaN(at) && new Date(at).toISOString() === iso) return at;
  throw ApiError.reason(
    "QueryParamInvalid",
    `${name} must be a UTC date of the form yyyymmddhhmm, got [${text}].`,
  );
}

async function runJob(sandbox: Sandbox, job: OpenReplayRow): Promise<void> {
  const started = performance.now();
  const complete = await redeliver(sandbox, job);
  const remainingMs = sandbox.settings.delays.replay_least_ms - (performance.now() - started);
  if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
  const webhook = webhookTable.in(sandbox.world).get(job.webhookId);
  const app = apps.in(sandbox.world).get(webhook?.appId ?? "");
  if (webhook === undefined || app === undefined) return;
  const body = renderReplayStatus(webhook.id, job.id, complete);
  const textIn = (dialect: Dialect): string => stringifyEvent(body, dialect);
  await attempt(
    sandbox,
    { app, webhook, textIn, event: REPLAY_STATUS, forUserId: null, replayed: false },
    1,
  );
}

/**
 * Sends the events of a replay, oldest first; concurrently only for different accounts. Skips events from before the
 * subscription. Returns whether all succeeded.
 */
async function redeliver(sandbox: Sandbox, job: OpenReplayRow): Promise<boolean> {
  let complete = true;
  const busy = new Map<string, Promise<void>>();
  const redeliverOne = async (
    activity: ActivityRow,
    lane: string,
    before?: Promise<void>,
  ): Promise<void> => {
    await before;
    if (!isDuringSubscription(sandbox.world, activity, lane)) return;
    try {
      const delivery = deliveryFor(sandbox, activity, lane, true);
      if (delivery !== undefined && !(await attempt(sandbox, delivery, 1)).isOver) complete = false;
    } catch (error) {
      complete = false;
      sandbox.feed.publish("fault", { message: String(error) });
    }
  };
  for (const { activity, lane } of activitiesIn(sandbox, job)) {
    if (busy.size >= MAX_CONCURRENT) await Promise.race(busy.values());
    const sent = redeliverOne(activity, lane, busy.get(lane));
    busy.set(lane, sent);
    void sent.finally(() => busy.get(lane) === sent && busy.delete(lane));
  }
  await Promise.all(busy.values());
  return complete;
}

function activitiesIn(
  { world }: Sandbox,
  { webhookId, from, to }: OpenReplayRow,
): { activity: ActivityRow; lane: string }[] {
  return subscriptions
    .in(world)
    .where("webhook", webhookId)
    .flatMap(({ userId }) => {
      const lane = `${webhookId}:${userId}`;
      return activities
        .in(world)
        .where("lane", lane)
        .filter(({ at }) => at >= from && at < to)
        .map((activity) => ({ activity, lane }));
    })
    .sort((a, b) => a.activity.at - b.activity.at);
}
