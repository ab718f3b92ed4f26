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
  readonly #startedAt: number;
  readonly #linkedAt = new Map<string, number>();
  #later: readonly Reading[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Notes that an account was linked now. */
  linked(account: string): void {
    this.#linkedAt.set(account, this.#clock.now());
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
      const from = this.#linkedAt.get(account) ?? this.#startedAt;
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
}
