import type { Span } from "../../system/spans.ts";
import type { JobRecord } from "./replay/job-record.ts";

/** State of the catch-up. Times are ISO 8601, by the platform's clock. */
export interface CatchupStatus {
  /** Number of open gaps, over all accounts. */
  readonly gaps: number;
  /** Start of the oldest open gap. */
  readonly since?: string;
  /** Current replay job: under way, or waiting for its next attempt. */
  readonly replay?: {
    readonly state: "running" | "waiting";
    readonly from: string;
    readonly to: string;
    readonly reason?: string;
  };
  /** Reason why the platform does not replay for this app; absent unless the platform refused. */
  readonly noReplay?: string;
}

export interface CatchupStatusNeeds {
  readonly gaps: readonly Span[];
  readonly job: JobRecord | undefined;
  readonly noReplay: string | undefined;
}

/** Summarises the open gaps and the current replay job. Pure. */
export function catchupStatus({ gaps, job, noReplay }: CatchupStatusNeeds): CatchupStatus {
  const oldest = gaps.reduce((least, { from }) => Math.min(least, from), Infinity);
  return {
    gaps: gaps.length,
    ...(gaps.length > 0 && { since: isoOf(oldest) }),
    ...(job !== undefined && {
      replay: {
        state: job.retryAt === undefined ? "running" : "waiting",
        from: isoOf(job.from),
        to: isoOf(job.to),
        ...(job.reason !== undefined && { reason: job.reason }),
      },
    }),
    ...(noReplay !== undefined && { noReplay }),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
