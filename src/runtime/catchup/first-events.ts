import type { Clock } from "../clock/clock.ts";
import type { DeliveryChange } from "./delivery-watch.ts";
import type { Reading } from "./readings.ts";

/**
 * Plans the readings for an account's first subscription.
 *
 * The platform delivers no events from before the subscription, and may deliver none of its first seconds. People may
 * have written already: since the process started, or since the account was linked while the process ran.
 */
export class FirstEvents {
  readonly #clock: Clock;
  readonly #started: Moment;
  readonly #linked = new Map<string, Moment>();
  #later: readonly Reading[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#started = this.#moment();
  }

  /** Notes that an account was linked now. */
  linked(account: string): void {
    this.#linked.set(account, this.#moment());
  }

  /** Returns what to read at once for accounts whose events arrive for the first time. */
  begin(changes: readonly DeliveryChange[]): readonly Reading[] {
    const now = this.#clock.now();
    // An account that was subscribed before, by another store or program, received its events all the time.
    const subscribed = changes.filter(({ since }) => since > now);
    this.#later = [
      ...this.#later,
      ...subscribed.map(({ account, since }) => ({ account, from: now, to: since, isExact: true })),
    ];
    return subscribed.map(({ account }) => {
      const from = this.#timeOf(this.#linked.get(account) ?? this.#started);
      return { account, from: Math.min(from, now), to: now, isExact: true };
    });
  }

  /** Returns the readings of the first seconds of subscriptions that are over by now, each once. */
  due(): readonly Reading[] {
    const now = this.#clock.now();
    const due = this.#later.filter(({ to }) => to <= now);
    this.#later = this.#later.filter((one) => !due.includes(one));
    return due;
  }

  #moment(): Moment {
    return { at: this.#clock.now(), monotonic: performance.now() };
  }

  /** Returns the time of a moment. The clock may have been ahead at that moment, and have been corrected since. */
  #timeOf({ at, monotonic }: Moment): number {
    if (this.#clock.jumpsAreCorrections === undefined) return at;
    return Math.min(at, Math.floor(this.#clock.now() - (performance.now() - monotonic)));
  }
}

/** Moment in two clocks: the platform's, and the process's monotonic clock. */
interface Moment {
  readonly at: number;
  readonly monotonic: number;
}
