import type { Span } from "../../system/spans.ts";
import type { JobRecord } from "./replay/job-record.ts";

/** What is being caught up just now. Times are ISO 8601, by the platform's clock. */
export interface CatchupStatus {
  /** Stretches of an account's time that are not closed yet. */
  readonly gaps: number;
  /** When the oldest of them begins. */
  readonly since?: string;
  /** The replay that is under way, or is to be asked for again. */
  readonly replay?: {
    readonly state: "running" | "waiting";
    readonly from: string;
    readonly to: string;
    /** Why it waits. */
    readonly reason?: string;
  };
  /** Why the platform does not replay for this app, where it said so. */
  readonly noReplay?: string;
}

export interface CatchupStatusNeeds {
  readonly gaps: readonly Span[];
  readonly job: JobRecord | undefined;
  readonly noReplay: string | undefined;
}

/** Says how far catching up is. Pure. */
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
