/** Request that arrived at the webhook. */
export type Arrival =
  /** Signed delivery for an account; `account` is empty if the delivery names none. */
  | { readonly kind: "delivery"; readonly account: string }
  /**
   * Delivery that this machine rejected, so the platform sends it again; `account` is empty if the delivery was not read
   * or names no account.
   */
  | { readonly kind: "refused"; readonly account: string }
  /** Challenge, and whether it was answered. Anyone can send one, so it proves nothing about the platform unless it is signed. */
  | {
      readonly kind: "challenge";
      readonly answered: boolean;
      readonly isFromPlatform: boolean;
    };

/** Counts of the platform's requests so far. Times are milliseconds since the epoch, by the platform's clock. */
export interface ArrivalCounts {
  readonly challenges: number;
  readonly challengesRefused: number;
  readonly deliveries: number;
  readonly lastChallengeAt?: number;
  readonly lastDeliveryAt?: number;
}

/** Counts the platform's requests. Deliveries and signed challenges prove that the platform reaches this machine. */
export class Arrivals {
  #challenges = 0;
  #challengesRefused = 0;
  #deliveries = 0;
  #lastChallengeAt: number | undefined;
  #lastDeliveryAt: number | undefined;
  readonly #byAccount = new Map<string, number>();

  /** Counts a request. @param at Milliseconds since the epoch, by the platform's clock. */
  add(arrival: Arrival, at: number): void {
    if (arrival.kind === "refused") return;
    if (arrival.kind === "delivery") {
      this.#deliveries += 1;
      this.#lastDeliveryAt = at;
      if (arrival.account !== "") this.#byAccount.set(arrival.account, at);
    } else if (arrival.answered) {
      this.#challenges += 1;
      if (arrival.isFromPlatform) this.#lastChallengeAt = at;
    } else this.#challengesRefused += 1;
  }

  /** Last time at which the platform surely reached this machine; undefined if it never did. */
  lastAt(): number | undefined {
    const times = [this.#lastChallengeAt, this.#lastDeliveryAt].filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** Time of an account's last delivery; undefined before the first. */
  lastDeliveryOf(account: string): number | undefined {
    return this.#byAccount.get(account);
  }

  counts(): ArrivalCounts {
    const lastChallengeAt = this.#lastChallengeAt;
    const lastDeliveryAt = this.#lastDeliveryAt;
    return {
      challenges: this.#challenges,
      challengesRefused: this.#challengesRefused,
      deliveries: this.#deliveries,
      ...(lastChallengeAt !== undefined && { lastChallengeAt }),
      ...(lastDeliveryAt !== undefined && { lastDeliveryAt }),
    };
  }
}
