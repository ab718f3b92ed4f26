const MINUTE_MS = 60_000;

/** Maximum backfill that a stream can deliver, in minutes. */
const MAX_BACKFILL_MINUTES = 5;

/** Allowance in milliseconds for data that was in transit when a connection broke, and for clock differences. */
export const MARGIN_MS = 5_000;

/** Interval of time, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Tracks the time up to which all items of a stream have arrived, in milliseconds since 1970.
 *
 * A gap stays open until an item created after the gap arrives, because the connection may break again during the
 * backfill.
 */
export class Coverage {
  #until: number | undefined;
  #gap:
    | { readonly from: number; readonly to?: number; readonly isBeforeStart?: boolean }
    | undefined;

  /** Records that the stream is connected at `at`, and complete up to that time unless a gap is open. */
  alive(at: number): void {
    if (this.#gap === undefined) this.#until = Math.max(at, this.#until ?? at);
  }

  /** Records the end of a connection. */
  broken(): void {
    if (this.#until === undefined) return;
    this.#gap = { from: this.#gap?.from ?? this.#until };
  }

  /** Backfill to request at `now`, 0 to 5 minutes; 0 before the first connection. */
  backfillMinutes(now: number): number {
    if (this.#gap === undefined) return 0;
    const wanted = Math.ceil((now - this.#gap.from + MARGIN_MS) / MINUTE_MS);
    return Math.min(Math.max(1, wanted), MAX_BACKFILL_MINUTES);
  }

  /** Records a connection with a backfill. Returns the part of the gap that the backfill does not reach. */
  connected(at: number, backfillMinutes: number): Stretch | undefined {
    const reached = at - backfillMinutes * MINUTE_MS;
    if (this.#gap === undefined) {
      this.#until = at;
      if (backfillMinutes > 0) this.#gap = { from: reached, to: at, isBeforeStart: true };
      return undefined;
    }
    const { from } = this.#gap;
    const tooOld = from < reached ? { from, to: reached + MARGIN_MS } : undefined;
    this.#gap = { from: tooOld?.to ?? from, to: at };
    return tooOld;
  }

  /**
   * Closes and returns the gap if an item created at `madeAt` proves that the gap's backfill is complete. The first
   * connection's backfill is returned as a gap only if the connection broke before the backfill was complete.
   */
  passed(madeAt: number, now: number): Stretch | undefined {
    const gap = this.#gap;
    if (gap?.to === undefined || madeAt < gap.to) return undefined;
    this.#gap = undefined;
    this.#until = now;
    return gap.isBeforeStart === true ? undefined : { from: gap.from, to: gap.to };
  }
}
