const MINUTE_MS = 60_000;

/** The longest backfill that a stream gives. */
const MAX_BACKFILL_MINUTES = 5;

/** What was on its way when a connection broke may be this old; and clocks differ. */
export const MARGIN_MS = 5_000;

/** A stretch of time; milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Up to when a stream has given everything; milliseconds since 1970.
 *
 * A gap stays open until something shows that its backfill is through: the connection may break again before.
 */
export class Coverage {
  #until: number | undefined;
  #gap: { readonly from: number; readonly to?: number } | undefined;

  /** Notes that the stream is connected and that all up to now is there, but for an open gap. */
  alive(at: number): void {
    if (this.#gap === undefined) this.#until = Math.max(at, this.#until ?? at);
  }

  /** Notes that the connection has ended. */
  broken(): void {
    if (this.#until === undefined) return;
    this.#gap = { from: this.#gap?.from ?? this.#until };
  }

  /** Minutes of backfill to ask for at `now`, 0 to 5; none before the first connection. */
  backfillMinutes(now: number): number {
    if (this.#gap === undefined) return 0;
    const wanted = Math.ceil((now - this.#gap.from + MARGIN_MS) / MINUTE_MS);
    return Math.min(Math.max(1, wanted), MAX_BACKFILL_MINUTES);
  }

  /** Notes a connection with so much backfill. Gives the part of the gap that is too long ago for it. */
  connected(at: number, backfillMinutes: number): Stretch | undefined {
    if (this.#gap === undefined) {
      this.#until = at;
      return undefined;
    }
    const { from } = this.#gap;
    const reached = at - backfillMinutes * MINUTE_MS;
    const tooOld = from < reached ? { from, to: reached + MARGIN_MS } : undefined;
    this.#gap = { from: tooOld?.to ?? from, to: at };
    return tooOld;
  }

  /** Closes the gap where something made at `madeAt` shows that backfill is through. Gives the gap. */
  passed(madeAt: number, now: number): Stretch | undefined {
    const gap = this.#gap;
    if (gap?.to === undefined || madeAt < gap.to) return undefined;
    this.#gap = undefined;
    this.#until = now;
    return { from: gap.from, to: gap.to };
  }
}
