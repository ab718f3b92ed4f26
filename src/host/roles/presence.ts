import type { Log } from "../../runtime/log.ts";
import { type PollLoop, pollLoop } from "../../runtime/loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { PresencePort } from "../../runtime/store/presence.ts";
import type { LeasePort } from "../../runtime/store/store.ts";
import { type Colleague, type ProcessNote, readNote } from "./colleague.ts";

/** Running processes of a store, each with the note that it publishes about itself. */
export interface Colleagues {
  /** Name of this process. */
  readonly name: string;
  /** Returns the running processes, as of the last heartbeat, including this process. */
  all(): readonly Colleague[];
  /** Returns the process that leads; undefined if no process or this process leads. */
  leader(): Colleague | undefined;
  /** Calls `listener` with all processes: now, and after each heartbeat. Returns the function that unsubscribes. */
  onSeen(listener: (all: readonly Colleague[]) => void): () => void;
  /** Returns the time since which other processes could see this process without a break, in monotonic milliseconds. */
  steadySince(): number;
  /**
   * Each process publishes a note about itself. Resolves once all other processes have read the current note of this
   * process, and this process has read the notes that they published after that.
   */
  otherReports(): Promise<void>;
}

/** Presence of this process, renewed by heartbeats. */
export interface KeptPresence extends Colleagues {
  /** Publishes this process's note now, and reads the notes of the other processes. */
  look(): Promise<void>;
  /** Publishes this process's note soon. */
  wake(): void;
  /** Publishes this process's note for the last time. */
  stop(): Promise<void>;
}

export interface PresenceNeeds {
  readonly store: PresencePort & Pick<LeasePort, "isShared">;
  readonly name: string;
  /** Returns this process's current note. @param steadySince As {@link Colleagues.steadySince}. */
  readonly note: (steadySince: number) => ProcessNote;
  readonly log: Log;
  /** Interval of heartbeats in real milliseconds. Default: 1,000. */
  readonly everyMs?: number;
}

/** Interval of heartbeats in real milliseconds. */
export const LOOK_EVERY_MS = 1_000;
/** Number of heartbeats that may be missed before other processes consider a process gone. */
const LOOKS_MISSED = 5;

/** Announces this process by heartbeats, and lists the other processes. Without a shared store there are none. */
export async function keepPresence(needs: PresenceNeeds): Promise<KeptPresence> {
  if (!needs.store.isShared) return presenceAlone(needs);
  const presence = new SharedPresence(needs);
  await presence.look();
  presence.wake();
  return presence;
}

function presenceAlone({ name, note }: PresenceNeeds): KeptPresence {
  const since = performance.now();
  return {
    name,
    all: () => [{ name, ...note(since) }],
    leader: () => undefined,
    onSeen: () => () => {},
    steadySince: () => since,
    otherReports: async () => {},
    look: async () => {},
    wake: () => {},
    stop: async () => {},
  };
}

/** Presence of this process among others of the same store. */
class SharedPresence implements KeptPresence {
  readonly name: string;
  readonly #needs: PresenceNeeds;
  readonly #ttlMs: number;
  readonly #loop: PollLoop;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<(all: readonly Colleague[]) => void>();
  #listed: readonly Colleague[] = [];
  /** Time of the latest heartbeat, in monotonic milliseconds. */
  #heardAt = performance.now();
  #steadySince = this.#heardAt;
  /** Number of heartbeats so far. */
  #looks = 0;
  #waiting: { readonly after: number; readonly done: () => void }[] = [];
  #isOver = false;

  constructor(needs: PresenceNeeds) {
    const { name, log, everyMs = LOOK_EVERY_MS } = needs;
    this.name = name;
    this.#needs = needs;
    this.#ttlMs = everyMs * LOOKS_MISSED;
    this.#onError = throttle(LOG_EVERY_MS, (error: unknown) =>
      log.error({ err: error }, "the list of running processes could not be read or updated"),
    );
    this.#loop = pollLoop({ poll: () => this.look(), everyMs, onError: this.#onError });
  }

  readonly all = (): readonly Colleague[] => {
    const { name } = this;
    return this.#listed.map((one) => (one.name === name ? { name, ...this.#note() } : one));
  };

  leader(): Colleague | undefined {
    return this.#listed.find((one) => one.name !== this.name && one.leading !== undefined);
  }

  readonly onSeen = (listener: (all: readonly Colleague[]) => void): (() => void) => {
    this.#listeners.add(listener);
    listener(this.#listed);
    return () => void this.#listeners.delete(listener);
  };

  steadySince(): number {
    return this.#steadySince;
  }

  async look(): Promise<void> {
    // After this time the other processes have considered this process gone, whatever this heartbeat returns.
    if (performance.now() - this.#heardAt > this.#ttlMs) this.#steadySince = performance.now();
    this.#listed = await this.#attend();
    this.#heardAt = performance.now();
    this.#looks += 1;
    for (const listener of this.#listeners) listener(this.#listed);
    const over = this.#waiting.filter(({ after }) => this.#looks >= after);
    this.#waiting = this.#waiting.filter(({ after }) => this.#looks < after);
    for (const { done } of over) done();
  }

  async otherReports(): Promise<void> {
    if (this.#isAlone()) {
      // A process that joins later reads this process's note with its own first heartbeat.
      await this.look().catch(this.#onError);
      if (this.#isAlone()) return;
    }
    // The first heartbeat publishes the note. The other processes publish theirs within one interval, and the next
    // heartbeat reads them.
    await new Promise<void>((done) => {
      if (this.#isOver) return done();
      this.#waiting.push({ after: this.#looks + 3, done });
      this.wake();
    });
  }

  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#loop.stop();
    for (const { done } of this.#waiting.splice(0)) done();
    await this.#attend();
  }

  #note(): ProcessNote {
    return this.#needs.note(this.#steadySince);
  }

  #isAlone(): boolean {
    return this.#listed.every(({ name }) => name === this.name);
  }

  /** Publishes the note of this process, and returns the processes that are present. */
  async #attend(): Promise<readonly Colleague[]> {
    const text = JSON.stringify(this.#note());
    const present = await this.#needs.store.attend(this.name, text, this.#ttlMs);
    return present.flatMap(({ process, note }) => {
      const read = readNote(note);
      return read === undefined ? [] : [{ name: process, ...read }];
    });
  }
}
