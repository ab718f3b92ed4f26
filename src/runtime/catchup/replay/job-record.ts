import * as z from "zod";
import type { Store } from "../../store/store.ts";

const jobRecord = z.object({
  /** Window to replay, in whole minutes, in milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  /**
   * Reason of the job: `gap` (gaps were found), `hand` (an operator requested it) or `check` (a stretch is unproven).
   */
  by: z.enum(["gap", "hand", "check"]),
  /**
   * Ids of the accounts whose events the job brings: the accounts subscribed when it was requested. Absent: not
   * requested yet.
   */
  accounts: z.array(z.string()).exactOptional(),
  /** Platform's id of the job; absent before the platform has responded, or if its response was lost. */
  jobId: z.string().exactOptional(),
  /** Time of the last request, by the platform's clock. */
  askedAt: z.number(),
  attempts: z.number(),
  /** Earliest time of the next request, by the platform's clock. */
  retryAt: z.number().exactOptional(),
  /** Reason why the replay has to be requested again. */
  reason: z.string().exactOptional(),
});

/** Stored form of the replay job that is wanted or under way. */
export type JobRecord = z.infer<typeof jobRecord>;

const NAME = "catchup/job";

/** Reads the stored job; undefined if there is none. */
export async function readJob(store: Pick<Store, "getMeta">): Promise<JobRecord | undefined> {
  const text = await store.getMeta(NAME);
  return text === undefined || text === "" ? undefined : jobRecord.parse(JSON.parse(text));
}

/** Stores the job; `undefined` deletes it. */
export async function writeJob(
  store: Pick<Store, "setMeta">,
  job: JobRecord | undefined,
): Promise<void> {
  await store.setMeta(NAME, job === undefined ? "" : JSON.stringify(job));
}
