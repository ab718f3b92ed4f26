/** Something that came to the webhook. */
export type Arrival =
  /** A signed delivery for an account; `account` is empty where it names none. */
  | { readonly kind: "delivery"; readonly account: string }
  /** A delivery that this machine turned away, to be sent again; `account` is empty where it was not read. */
  | { readonly kind: "refused"; readonly account: string }
  /**
   * A challenge, and whether it could be answered. Anybody may ask, so it proves nothing of the platform
   * unless it was signed.
   */
  | {
      readonly kind: "challenge";
      readonly answered: boolean;
      readonly isFromPlatform: boolean;
    };

/** What came from the platform so far, and when. Times are ms since the epoch, by the platform's clock. */
export interface ArrivalCounts {
  readonly challenges: number;
  readonly challengesRefused: number;
  readonly deliveries: number;
  readonly lastChallengeAt?: number;
  readonly lastDeliveryAt?: number;
}

/** Keeps count of what comes from the platform: the proof that it reaches this machine. */
export class Arrivals {
  #challenges = 0;
  #challengesRefused = 0;
  #deliveries = 0;
  #lastChallengeAt: number | undefined;
  #lastDeliveryAt: number | undefined;
  readonly #byAccount = new Map<string, number>();

  /** @param at Milliseconds since the epoch, by the platform's clock. */
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

  /** When the platform was last seen to reach this machine; undefined when it never was. */
  lastAt(): number | undefined {
    const times = [this.#lastChallengeAt, this.#lastDeliveryAt].filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** When an account's last delivery came; undefined when none did. */
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
