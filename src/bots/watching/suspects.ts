import type { Job } from "../job.ts";

export interface SuspectsNeeds {
  /** Sends a job to the thread; starts a thread if there is none. */
  readonly dispatch: (job: Job) => Promise<void>;
  /** Whether a bot is suspended. Its jobs then wait anyway, so the other jobs don't wait for them. */
  readonly isAside: (author: string) => boolean;
  readonly hasThread: () => boolean;
}

/**
 * Time in milliseconds in which a job that may have caused the loss of a thread runs alone in the new thread. The time
 * is longer if the job blocks the thread.
 */
const ALONE_MS = 500;

/** Jobs that were running when their thread was lost, until they are sent to the next thread. */
export class Suspects {
  readonly #needs: SuspectsNeeds;
  readonly #jobs: Job[] = [];
  #waitingForSign: (() => void)[] = [];

  constructor(needs: SuspectsNeeds) {
    this.#needs = needs;
  }

  add(job: Job): void {
    this.#jobs.push(job);
  }

  /** Removes and returns all jobs that have not been sent again. */
  all(): readonly Job[] {
    return this.#jobs.splice(0);
  }

  /** Records a sign of life of the thread, or the loss of the thread. */
  sign(): void {
    for (const resolve of this.#waitingForSign.splice(0)) resolve();
  }

  /** Sends the jobs to a thread again. Jobs that may have caused the loss run one after the other. */
  async retry(): Promise<void> {
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      const dispatched = this.#dispatch(job);
      if (job.losses === 0 || this.#needs.isAside(job.author)) continue;
      await dispatched;
      await Promise.race([job.settled.catch(() => {}), this.#aloneFor(ALONE_MS)]);
    }
  }

  async #dispatch(job: Job): Promise<void> {
    try {
      await this.#needs.dispatch(job);
    } catch (error) {
      job.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Waits for `ms`, and then for the thread's next sign of life or its loss. */
  async #aloneFor(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
    if (this.#needs.hasThread()) {
      await new Promise<void>((resolve) => this.#waitingForSign.push(resolve));
    }
  }
}
