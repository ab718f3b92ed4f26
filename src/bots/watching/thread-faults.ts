import type { BotFault } from "./fault-book.ts";
import type { Job } from "../job.ts";
import type { LoadedBot, StrayFault } from "../messages.ts";
import { placeOfHandler } from "./places.ts";
import type { BotSuspensions } from "./bot-suspensions.ts";

export interface ThreadFaultsNeeds {
  readonly files: readonly string[];
  readonly suspensions: BotSuspensions;
  readonly onFault: (fault: BotFault) => void;
}

/** Attributes the faults of a thread to its bots, and to places in their code. */
export class ThreadFaults {
  readonly #needs: ThreadFaultsNeeds;
  readonly #bots: () => readonly LoadedBot[];

  constructor(needs: ThreadFaultsNeeds, bots: () => readonly LoadedBot[]) {
    this.#needs = needs;
    this.#bots = bots;
  }

  /** Name of the thread's bot; undefined if it has several bots or none. */
  get only(): string | undefined {
    return onlyOne(this.#bots().map(({ name }) => name));
  }

  /** Reports a fault of a handler. Without `place`, the beginning of the handler is reported as the place. */
  async failed({ work, author }: Job, message: string, place?: string): Promise<void> {
    const bot = this.#bots().find(({ name }) => name === author);
    const file = work.type === "call" ? work.module : bot?.file;
    const triggers = work.type === "call" ? [] : work.triggers;
    const at = place ?? (file === undefined ? undefined : await placeOfHandler(file, triggers));
    this.#note({ bot: author, key: work.event.key, message, place: at });
  }

  /** Reports a fault outside any handler. */
  stray(message: string, { bot = this.only, key, place }: Partial<StrayFault> = {}): void {
    const file = this.#bots().find(({ name }) => name === bot)?.file;
    this.#note({ bot, key, message, place: place ?? file });
  }

  /**
   * Reports the loss of the thread. A bot that causes repeated losses is suspended.
   *
   * @param blamed Jobs that are known to be the cause.
   * @param jobs All jobs that were running.
   */
  lost(message: string, place: string | undefined, blamed: readonly Job[], jobs: readonly Job[]) {
    for (const job of blamed) void this.failed(job, this.#setAside(job.author, message), place);
    if (blamed.length > 0) return;
    const author = jobs.length > 0 ? onlyOne(jobs.map((job) => job.author)) : this.only;
    this.#note({ bot: author, message: this.#setAside(author, message), place });
  }

  #setAside(author: string | undefined, message: string): string {
    const ms = author === undefined ? 0 : this.#needs.suspensions.lost(author);
    return ms === 0 ? message : `${message}; it is set aside for ${ms / 1_000} s`;
  }

  #note({
    bot,
    key,
    message,
    place,
  }: {
    readonly [Part in keyof BotFault]: BotFault[Part] | undefined;
  } & { readonly message: string }): void {
    this.#needs.onFault({
      ...(bot !== undefined && { bot }),
      ...(key !== undefined && { key }),
      message,
      ...(place !== undefined && { place }),
    });
  }
}

function onlyOne(names: readonly string[]): string | undefined {
  const [first, ...others] = new Set(names);
  return others.length === 0 ? first : undefined;
}
