import type { Job } from "../job.ts";

export interface SuspectsNeeds {
  /** Gives a job to the thread, which is started where there is none. */
  readonly dispatch: (job: Job) => Promise<void>;
  /** Whether nobody waits for the job's author just now: it is set aside. */
  readonly isAside: (author: string) => boolean;
  /** Whether there is a thread. */
  readonly hasThread: () => boolean;
}

/** After a loss, each handler gets so long alone in the new thread, and longer when it blocks it. */
const ALONE_MS = 500;

/** Jobs that were under way when their thread was lost, until the next thread has them. */
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

  /** Takes all of them away. */
  all(): readonly Job[] {
    return this.#jobs.splice(0);
  }

  /** The thread said something, or is gone. */
  sign(): void {
    for (const resolve of this.#waitingForSign.splice(0)) resolve();
  }

  /** Gives them to the thread again: those that may have been the cause one after the other. */
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

  /** Resolves once the thread gave a sign of life after `ms`, or was lost. */
  async #aloneFor(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
    if (this.#needs.hasThread()) {
      await new Promise<void>((resolve) => this.#waitingForSign.push(resolve));
    }
  }
}
