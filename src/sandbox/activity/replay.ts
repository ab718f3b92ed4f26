import {
  REPLAY_FROM_MIN_AGE_MS,
  REPLAY_TO_MIN_AGE_MS,
  REPLAY_WINDOW_MS,
} from "../../interface/limits.ts";
import type { App } from "../apps/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { challenge } from "../webhooks/challenge.ts";
import { type Webhook, webhookTable } from "../webhooks/entities.ts";
import { attempt } from "./attempt.ts";
import { parcelOf } from "./deliver.ts";
import { activities, type Activity, subscriptions } from "./entities.ts";
import { renderReplayStatus } from "./render.ts";

const MINUTE_MS = 60_000;
const MOST_AT_ONCE = 64;

/** A replay that was taken on. */
export interface ReplayJob {
  readonly id: string;
  readonly createdAt: number;
}

const running = new WeakMap<Sandbox, Set<string>>();

/**
 * Starts to tell a webhook again what happened in `[from, to)`; answers before the job ends.
 *
 * @throws {Refusal} `QueryParamInvalid`, `ReplayConflictError` or `CrcValidationFailed`.
 */
export async function startReplay(
  sandbox: Sandbox,
  app: App,
  webhook: Webhook,
  dates: { readonly from: unknown; readonly to: unknown },
): Promise<ReplayJob> {
  const window = replayWindow(dates, sandbox.time.now());
  const jobs = running.get(sandbox) ?? new Set<string>();
  running.set(sandbox, jobs);
  if (jobs.has(webhook.id)) {
    throw Refusal.reason(
      "ReplayConflictError",
      "A replay job is already running for this webhook.",
    );
  }
  jobs.add(webhook.id);
  const failed = await challenge(sandbox, app, webhook);
  if (failed !== undefined) {
    jobs.delete(webhook.id);
    throw Refusal.reason("CrcValidationFailed", failed);
  }
  const job = { id: sandbox.world.ids.next(), createdAt: sandbox.time.now() };
  const run = (): Promise<void> =>
    runJob(sandbox, app, webhook, job, window).finally(() => jobs.delete(webhook.id));
  const wait = sandbox.settings.delays.replay_ms;
  if (wait === 0) sandbox.time.track(run());
  else sandbox.time.at(job.createdAt + wait, run);
  return job;
}

/** Forgets jobs under way, as a reset does. */
export function forgetReplays(sandbox: Sandbox): void {
  running.delete(sandbox);
}

interface Window {
  readonly from: number;
  readonly to: number;
}

/** @throws {Refusal} `QueryParamInvalid` that names the parameter. */
export function replayWindow(
  dates: { readonly from: unknown; readonly to: unknown },
  now: number,
): Window {
  const from = minute("from_date", dates.from);
  const to = minute("to_date", dates.to);
  // Dates have minutes only, so that exactly 24 hours ago is judged by the minute.
  const oldest = Math.floor((now - REPLAY_WINDOW_MS) / MINUTE_MS) * MINUTE_MS;
  const refuse = (details: string): never => {
    throw Refusal.reason("QueryParamInvalid", details);
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

function minute(name: string, given: unknown): number {
  const text = typeof given === "string" ? given : "";
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  const iso =
    parts === null ? "" : `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:00.000Z`;
  const at = Date.parse(iso);
  if (!Number.isNaN(at) && new Date(at).toISOString() === iso) return at;
  throw Refusal.reason(
    "QueryParamInvalid",
    `${name} must be a UTC date of the form yyyymmddhhmm, got [${text}].`,
  );
}

async function runJob(
  sandbox: Sandbox,
  app: App,
  webhook: Webhook,
  job: ReplayJob,
  window: Window,
): Promise<void> {
  const started = performance.now();
  const complete = await tellAgain(sandbox, webhook, window);
  const left = sandbox.settings.delays.replay_least_ms - (performance.now() - started);
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
  if (webhookTable.in(sandbox.world).get(webhook.id) === undefined) return;
  const body = renderReplayStatus(webhook.id, job.id, complete);
  await attempt(
    sandbox,
    { app, webhook, body, event: "replay_job_status", forUserId: null, replayed: false },
    1,
  );
}

/** Oldest first; in order within an account. True when all were answered with 200. */
async function tellAgain(sandbox: Sandbox, webhook: Webhook, window: Window): Promise<boolean> {
  let complete = true;
  const busy = new Map<string, Promise<void>>();
  const tell = async (activity: Activity, lane: string, before?: Promise<void>): Promise<void> => {
    await before;
    const parcel = parcelOf(sandbox, activity, lane, true);
    if (parcel !== undefined && !(await attempt(sandbox, parcel, 1))) complete = false;
  };
  for (const { activity, lane } of happened(sandbox, webhook, window)) {
    if (busy.size >= MOST_AT_ONCE) await Promise.race(busy.values());
    const told = tell(activity, lane, busy.get(lane));
    busy.set(lane, told);
    void told.finally(() => busy.get(lane) === told && busy.delete(lane));
  }
  await Promise.all(busy.values());
  return complete;
}

function happened(
  { world }: Sandbox,
  webhook: Webhook,
  { from, to }: Window,
): { activity: Activity; lane: string }[] {
  return subscriptions
    .in(world)
    .where("webhook", webhook.id)
    .flatMap(({ userId }) => {
      const lane = `${webhook.id}:${userId}`;
      return activities
        .in(world)
        .where("lane", lane)
        .filter(({ at }) => at >= from && at < to)
        .map((activity) => ({ activity, lane }));
    })
    .sort((a, b) => a.activity.at - b.activity.at);
}
