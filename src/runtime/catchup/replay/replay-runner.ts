import type { Client, ReplayJob, ReplayWindow } from "../../../client/client.ts";
import { RateLimitError } from "../../../client/errors.ts";
import type { Span } from "../../../system/spans.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log.ts";
import type { Store } from "../../store/store.ts";
import { type JobRecord, readJob, writeJob } from "./job-record.ts";
import { CLOCK_MARGIN_MS, MINUTE_MS, replayReach } from "../plan.ts";
import { refusalText, refusesReplay, saysUnreachable } from "./replay-refusal.ts";

export interface ReplayRunnerNeeds {
  readonly replay: Pick<Client<"bearer">["replay"], "start" | "startJob">;
  /** Returns the platform's id of the webhook; undefined until the webhook is registered. */
  readonly webhookId: () => string | undefined;
  /** Accounts that are subscribed now: a job brings only their events. */
  readonly subscribed: () => readonly string[];
  readonly store: Pick<Store, "getMeta" | "setMeta" | "journal">;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the platform refuses a job because it cannot reach the webhook. */
  readonly onUnreachable: (reason: string) => void;
  /** Resolves once all processes that receive deliveries have been notified of the job. */
  readonly announced?: (() => Promise<void>) | undefined;
}

/** Outcome of a replay job that has ended. */
export interface EndedJob {
  readonly job: JobRecord;
  /** `too-old`: the platform no longer replays that time. `refused`: it replays nothing for this app. */
  readonly outcome: "complete" | "too-old" | "refused";
  readonly reason?: string;
}

/** Time within which a job's end is expected, by the platform's clock; after that the job is requested again. */
const END_EXPECTED_WITHIN_MS = 15 * MINUTE_MS;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
/** Longest wait until a rate limit ends: a window of 15 minutes, with a margin for clock differences. */
const LONGEST_LIMIT_MS = 15 * MINUTE_MS + CLOCK_MARGIN_MS;

/** Runs one replay job at a time, and requests it again until the platform has completed or refused it. */
export class ReplayRunner {
  readonly #needs: ReplayRunnerNeeds;
  #job: JobRecord | undefined;
  #refused: EndedJob | undefined;

  constructor(needs: ReplayRunnerNeeds) {
    this.#needs = needs;
  }

  /** Job that is under way, or waits for its next request. */
  current(): JobRecord | undefined {
    return this.#job;
  }

  /** Loads the job that an earlier process stored. */
  async resume(): Promise<void> {
    this.#job = await readJob(this.#needs.store);
  }

  /** Begins a job. To be called only when no other job is under way. */
  async begin({ from, to }: Span, by: JobRecord["by"]): Promise<void> {
    await this.#keep({ from, to, by, askedAt: 0, attempts: 0 });
  }

  /**
   * Advances the job as far as possible now.
   *
   * @returns The job, once the platform has completed it or it can no longer be requested. Every later call returns the
   *   job again until `forget` is called.
   */
  async step(): Promise<EndedJob | undefined> {
    const job = this.#job;
    if (job === undefined || this.#refused !== undefined) return this.#refused;
    const end = job.jobId === undefined ? undefined : await this.#endOf(job.jobId);
    if (end === "Complete") return { job, outcome: "complete" };
    if (end === "Incomplete") {
      await this.#putOff(job, "the platform could not deliver all of it");
      return undefined;
    }
    const now = this.#needs.clock.now();
    if (job.jobId !== undefined) {
      if (Math.abs(now - job.askedAt) < END_EXPECTED_WITHIN_MS) return undefined;
      await this.#putOff(job, "its end was not told");
    }
    if (job.from < replayReach(now).oldest - CLOCK_MARGIN_MS) return { job, outcome: "too-old" };
    // A longer wait means that the clock was set back: the job is then requested at once.
    const { retryAt = 0 } = this.#job ?? job;
    if (now < retryAt && retryAt - now <= LONGEST_LIMIT_MS) return undefined;
    await this.#ask(this.#job ?? job);
    return this.#refused;
  }

  /** Removes an account whose subscription has ended from the job, because the job may not bring all of its events. */
  async leave(account: string): Promise<void> {
    const job = this.#job;
    if (job?.accounts?.includes(account) !== true) return;
    await this.#keep({ ...job, accounts: job.accounts.filter((one) => one !== account) });
  }

  /**
   * Restarts a job if the clock was set back into its window, because the job would not bring all events of the
   * repeated time.
   */
  async setBack(to: number): Promise<void> {
    const job = this.#job ?? (await readJob(this.#needs.store));
    if (job === undefined || job.to <= to) return;
    // Drops a job that no operator requested: if its gap is still open, the job is planned again.
    if (job.by !== "hand") await this.forget();
    else await this.#putOff(job, "the clock was set back");
  }

  /** Drops the job. To be called once the job's outcome is on disk. */
  async forget(): Promise<void> {
    this.#refused = undefined;
    await this.#keep(undefined);
  }

  async #ask(job: JobRecord): Promise<void> {
    const { webhookId, subscribed, clock, log } = this.#needs;
    const id = webhookId();
    if (id === undefined) return;
    // Stored before the request is sent: if the process crashes before the response, the replay is requested again.
    const { jobId, retryAt, reason, ...rest } = job;
    const accounts = [...subscribed()];
    const attempt = { ...rest, accounts, askedAt: clock.now(), attempts: job.attempts + 1 };
    await this.#keep(attempt);
    await this.#needs.announced?.();
    try {
      const window = { webhookId: id, from: new Date(job.from), to: new Date(job.to) };
      const started = await this.#start(window);
      const current = this.#stillAsked();
      if (current === undefined) return;
      // Notifying all processes may have taken a while, so the time for the job's end starts now.
      await this.#keep({ ...current, jobId: started.job_id, askedAt: clock.now() });
      log.info({ job: started.job_id, from: isoOf(job.from), to: isoOf(job.to) }, "replay started");
    } catch (error) {
      const reason = refusalText(error);
      const current = this.#stillAsked();
      if (current === undefined) return;
      if (refusesReplay(error)) {
        this.#refused = { job: current, outcome: "refused", reason };
        return;
      }
      if (saysUnreachable(error)) this.#needs.onUnreachable(reason);
      const reset = error instanceof RateLimitError ? error.resetAt : undefined;
      await this.#putOff(current, reason, reset);
    }
  }

  /** Returns the requested job; undefined if the clock was set back meanwhile, which drops or defers the job. */
  #stillAsked(): JobRecord | undefined {
    return this.#job?.retryAt === undefined ? this.#job : undefined;
  }

  /** Requests the job at the documented path, or at the newer path if the platform refuses the documented one. */
  async #start(window: ReplayWindow): Promise<ReplayJob> {
    const { replay } = this.#needs;
    try {
      return await replay.start(window, { retry: false });
    } catch (error) {
      if (!refusesReplay(error)) throw error;
      return replay.startJob(window, { retry: false });
    }
  }

  async #putOff(job: JobRecord, reason: string, until?: number): Promise<void> {
    const { jobId, ...rest } = job;
    const { clock, log } = this.#needs;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, job.attempts - 1));
    const retryAt =
      clock.now() + Math.max(pause, Math.min(LONGEST_LIMIT_MS, (until ?? 0) - clock.now()));
    await this.#keep({ ...rest, retryAt, reason });
    const window = { from: isoOf(job.from), to: isoOf(job.to) };
    log.warn(
      { ...window, reason, again: isoOf(retryAt) },
      "replay request failed; it is repeated later",
    );
  }

  async #keep(job: JobRecord | undefined): Promise<void> {
    await writeJob(this.#needs.store, job);
    this.#job = job;
  }

  /** Returns how the job ended, from the platform's notice in the journal; undefined while there is no notice. */
  async #endOf(jobId: string): Promise<"Complete" | "Incomplete" | undefined> {
    for (const state of ["Complete", "Incomplete"] as const) {
      const key = `replay:${jobId}:${state}`;
      if ((await this.#needs.store.journal({ key, limit: 1 })).length > 0) return state;
    }
    return undefined;
  }
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
