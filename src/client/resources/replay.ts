import { z } from "zod";
import { UsageError } from "../../errors.ts";
import { checkedPart, dataOf } from "../reading/response.ts";
import type { ApiResponse, CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP, type Endpoints } from "../http/endpoint.ts";

const Job = z.object({ job_id: z.string(), created_at: z.string() });
const ReplayEvent = z.object({ replay_event: Job });

/** A started replay job. Its result arrives at the webhook as `replay_job_status`. */
export type ReplayJob = z.infer<typeof Job>;

/**
 * Window of the replay in minutes, UTC: `from` is inclusive and at least 31 minutes ago, `to` is exclusive and at least
 * 10 minutes ago, both within 24 hours. A `Date` is truncated to its minute; text has the form `yyyymmddhhmm`.
 */
export interface ReplayWindow {
  readonly webhookId: string;
  readonly from: Date | string;
  readonly to: Date | string;
}

/** Replay: redelivers missed events. Each webhook can have one job at a time. */
export interface ReplayMethods {
  /**
   * Starts a replay job at the documented path.
   *
   * @throws PlatformError with reason `QueryParamInvalid`, `ReplayConflictError`, `CrcValidationFailed` or `WebhookIdInvalid`
   */
  start(window: ReplayWindow, options?: CallOptions): Promise<ReplayJob>;
  /** Starts a replay job at the newer path, `POST /2/webhooks/replay`, with the same result and errors. */
  startJob(window: ReplayWindow, options?: CallOptions): Promise<ReplayJob>;
}

/** Endpoints of the replay methods. */
export const REPLAY = {
  start: {
    method: "POST",
    path: "/2/account_activity/replay/webhooks/:webhook_id/subscriptions/all",
    takes: APP,
  },
  startJob: { method: "POST", path: "/2/webhooks/replay", takes: APP },
} as const satisfies Endpoints<ReplayMethods>;

/** Creates the methods of replay, which send their requests through `caller`. */
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

/** Accepts the three formats of the live service: the bare job, the job under `data`, the job under `replay_event`. */
function jobOf(answer: ApiResponse): ReplayJob {
  if (answer.body["replay_event"] !== undefined) {
    return checkedPart(answer, answer.body, ReplayEvent, "answer").replay_event;
  }
  if (answer.body["job_id"] !== undefined) return checkedPart(answer, answer.body, Job, "answer");
  return dataOf(answer, z.union([Job, ReplayEvent.transform((data) => data.replay_event)]));
}

/**
 * Formats a time for replay: `yyyymmddhhmm`, UTC.
 *
 * @throws UsageError if the date is invalid.
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
