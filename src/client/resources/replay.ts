import { z } from "zod";
import { UsageError } from "../../errors.ts";
import { checkedPart, dataOf } from "../reading/response.ts";
import type { ApiResponse, CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, type Endpoints } from "../http/endpoint.ts";

const Job = z.object({ job_id: z.string(), created_at: z.string() });
const ReplayEvent = z.object({ replay_event: Job });

/** A replay job that has begun; its end arrives at the webhook as `replay_job_status`. */
export type ReplayJob = z.infer<typeof Job>;

/**
 * The minutes to deliver again, UTC: `from` inclusive and at least 31 minutes ago, `to` exclusive and
 * at least 10 minutes ago, both within 24 hours. A `Date` is cut to its minute; text is `yyyymmddhhmm`.
 */
export interface ReplayWindow {
  readonly webhookId: string;
  readonly from: Date | string;
  readonly to: Date | string;
}

/** Replay: have missed events delivered again. One job at a time for each webhook. */
export interface ReplayMethods {
  /**
   * Starts a replay job by the documented path.
   *
   * @throws PlatformError with reason `QueryParamInvalid`, `ReplayConflictError`, `CrcValidationFailed` or `WebhookIdInvalid`
   */
  start(window: ReplayWindow, options?: CallOptions): Promise<ReplayJob>;
  /** Starts a replay job by the newer path, `POST /2/webhooks/replay`; the same job, the same errors. */
  startJob(window: ReplayWindow, options?: CallOptions): Promise<ReplayJob>;
}

/** Where the methods of replay go. */
export const REPLAY = {
  start: {
    method: "POST",
    path: "/2/account_activity/replay/webhooks/:webhook_id/subscriptions/all",
    takes: APP,
  },
  startJob: { method: "POST", path: "/2/webhooks/replay", takes: APP },
} as const satisfies Endpoints<ReplayMethods>;

/** The methods of replay over a caller. */
export function replay(caller: Caller): ReplayMethods {
  return {
    start: async ({ webhookId, from, to }, options) => {
      const query = { from_date: minute(from), to_date: minute(to) };
      const input = { path: { webhook_id: webhookId }, query };
      return jobOf(await caller.call(REPLAY.start, input, options));
    },
    startJob: async ({ webhookId, from, to }, options) => {
      const json = { webhook_id: webhookId, from_date: minute(from), to_date: minute(to) };
      return jobOf(await caller.call(REPLAY.startJob, { json }, options));
    },
  };
}

/** The live service has answered with the job bare, under `data`, and under `replay_event`; all are read. */
function jobOf(answer: ApiResponse): ReplayJob {
  if (answer.body["replay_event"] !== undefined) {
    return checkedPart(answer, answer.body, ReplayEvent, "answer").replay_event;
  }
  if (answer.body["job_id"] !== undefined) return checkedPart(answer, answer.body, Job, "answer");
  return dataOf(answer, z.union([Job, ReplayEvent.transform((data) => data.replay_event)]));
}

/**
 * An instant's minute as replay wants it: `yyyymmddhhmm`, UTC.
 *
 * @throws UsageError for an invalid date.
 */
function minute(time: Date | string): string {
  if (typeof time === "string") return time;
  if (Number.isNaN(time.getTime())) {
    throw new UsageError("a replay date is an invalid Date", {
      hint: "give a valid Date, or yyyymmddhhmm",
    });
  }
  return time.toISOString().slice(0, 16).replaceAll(/\D/g, "");
}
