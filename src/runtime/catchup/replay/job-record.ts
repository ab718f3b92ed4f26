import * as z from "zod";
import type { Store } from "../../store/store.ts";

const jobRecord = z.object({
  /** Minutes that are to be delivered again, in milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  /** Why it is asked for: gaps were found, a person asked, or nothing vouches for that time. */
  by: z.enum(["gap", "hand", "check"]),
  /** Whose events it brings: the accounts that were subscribed when it was asked for. Absent: not asked for yet. */
  accounts: z.array(z.string()).exactOptional(),
  /** The platform's id of the job; absent before it has answered, or when its answer was lost. */
  jobId: z.string().exactOptional(),
  /** When it was last asked for, by the platform's clock. */
  askedAt: z.number(),
  /** How often it was asked for. */
  attempts: z.number(),
  /** Not asked for again before this, by the platform's clock. */
  retryAt: z.number().exactOptional(),
  /** Why it has to be asked for again. */
  reason: z.string().exactOptional(),
});

/** The replay job that is wanted or under way, as it is kept on disk. */
export type JobRecord = z.infer<typeof jobRecord>;

const NAME = "catchup/job";

/** The job that an earlier process, or this one, left; undefined when there is none. */
export async function readJob(store: Pick<Store, "getMeta">): Promise<JobRecord | undefined> {
  const text = await store.getMeta(NAME);
  return text === undefined || text === "" ? undefined : jobRecord.parse(JSON.parse(text));
}

/** Keeps the job; `undefined` forgets it. */
export async function writeJob(
  store: Pick<Store, "setMeta">,
  job: JobRecord | undefined,
): Promise<void> {
  await store.setMeta(NAME, job === undefined ? "" : JSON.stringify(job));
}
