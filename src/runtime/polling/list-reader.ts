import type { RateLimit } from "../../client/client.ts";
import { PlatformError, RateLimitError } from "../../client/errors.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Clock } from "../clock/clock.ts";
import { type BackOff, backOffMs } from "../loop/back-off.ts";
import {
  type Cursor,
  cursorFrom,
  type CursorMemory,
  floorOf,
  keepCursor,
  movedTo,
  openCursor,
} from "./cursor.ts";
import type { PolledList, PolledEvent, ReadingClient } from "./lists.ts";

export interface ListReaderNeeds {
  readonly list: PolledList;
  readonly account: string;
  /** Identifies the account's link: see {@link Cursor}. */
  readonly link: number;
  /** Returns the account's client with its current tokens; undefined while no requests may be sent for the account. */
  readonly clientOf: (account: string) => ReadingClient | undefined;
  readonly memory: CursorMemory;
  readonly clock: Clock;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
}

/** Reason why a list can't be read. */
export interface ListTrouble {
  readonly reason: string;
  readonly error: unknown;
  /** Whether reads fail until the operator acts, for example because the account has to be linked again. */
  readonly isOperators: boolean;
}

const SOON: BackOff = { leastMs: 500, baseMs: 2_000, mostMs: 5 * 60_000 };
const SLOWLY: BackOff = { leastMs: 30_000, baseMs: 60_000, mostMs: 15 * 60_000 };

/** Reads one list of one account, starting at its cursor. */
export class ListReader {
  readonly #needs: ListReaderNeeds;
  #cursor: Cursor | undefined;
  /** Pages of a read that a rate limit or an error interrupted; the next read continues after these pages. */
  #partial:
    | { readonly events: readonly PolledEvent[]; readonly token: string; readonly floor: number }
    | undefined;
  /** Ids of events that are in the journal, and that the next read may return again because reads overlap. */
  #known: ReadonlySet<string> = new Set();
  #failed = 0;
  #trouble: ListTrouble | undefined;
  /** Monotonic time of the next read. */
  #nextAt = 0;
  readonly #openedAt = performance.now();

  constructor(needs: ListReaderNeeds) {
    this.#needs = needs;
  }

  get name(): PolledList["name"] {
    return this.#needs.list.name;
  }

  /** Whether the last read was complete. */
  get isRead(): boolean {
    return this.#nextAt > 0 && this.#failed === 0;
  }

  /** Reason why the list can't be read; undefined while it can. A first failure counts if the operator must act. */
  get trouble(): ListTrouble | undefined {
    return this.#failed > 1 || this.#trouble?.isOperators === true ? this.#trouble : undefined;
  }

  /** Real milliseconds until the next read. */
  waitMs(): number {
    return Math.max(0, this.#nextAt - performance.now());
  }

  /** Schedules a read at once, after a jump of the platform's clock; not while the list waits after a failure. */
  hurry(): void {
    if (this.isRead) this.#nextAt = performance.now();
  }

  /** Returns new events, oldest first; none if the read fails. */
  async read(): Promise<readonly PolledEvent[]> {
    try {
      const events = await this.#readAll();
      this.#failed = 0;
      this.#trouble = undefined;
      return events;
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  /** Advances the cursor past events of `read`, once all of them are in the journal. */
  async keep(events: readonly PolledEvent[]): Promise<void> {
    const { list, account, memory } = this.#needs;
    const newest = events.at(-1);
    if (newest === undefined || this.#cursor === undefined) return;
    const cursor = movedTo(this.#cursor, newest.at);
    await keepCursor(memory, { list: list.name, account, cursor });
    this.#cursor = cursor;
    this.#known = new Set([...this.#known, ...events.map(({ id }) => id)].slice(-KNOWN));
  }

  async #readAll(): Promise<readonly PolledEvent[]> {
    const { list, account, link, clientOf, memory, clock } = this.#needs;
    const position = { list: list.name, account };
    this.#cursor ??= await openCursor(memory, { ...position, link, now: clock.now() });
    if (clock.jumpsAreCorrections && this.#cursor.from > clock.now()) {
      // The machine's clock was ahead at the first start, and has been corrected since.
      const openedAt = Math.floor(clock.now() - (performance.now() - this.#openedAt));
      const cursor = cursorFrom(openedAt, link);
      await keepCursor(memory, { ...position, cursor });
      this.#cursor = cursor;
      this.#partial = undefined;
    }
    const client = clientOf(account);
    if (client === undefined) throw new Error("the account is paused or not linked");
    const floor = this.#partial?.floor ?? floorOf(this.#cursor, clock.setBacks?.());
    let events = this.#partial?.events ?? [];
    let token = this.#partial?.token;
    for (;;) {
      const page = await list.read(client, { account, floor, token });
      events = [...events, ...page.events];
      token = page.next;
      if (page.isPast || token === undefined) break;
      this.#partial = { events, token, floor };
    }
    this.#partial = undefined;
    this.#nextAt =
      performance.now() + paceMs(client.rateLimits.get(list.endpoint)?.window, clock.now());
    return events.filter(({ id }) => !this.#known.has(id)).toReversed();
  }

  #fail(error: unknown): void {
    const { clock, random } = this.#needs;
    this.#failed += 1;
    const isOfPlatform = error instanceof PlatformError && !error.isFromProxy;
    const status = isOfPlatform ? error.status : undefined;
    const isLimit = error instanceof RateLimitError;
    const isOperators = !isLimit && (status === 401 || status === 403);
    this.#trouble = { reason: messageOf(error), error, isOperators };
    // The page token may have expired: the next read starts from the first page.
    if (status === 400) this.#partial = undefined;
    const untilReset = isLimit ? Math.max(0, (error.resetAt ?? 0) - clock.now()) : 0;
    const waitMs = backOffMs(isOperators ? SLOWLY : SOON, this.#failed, random());
    this.#nextAt = performance.now() + untilReset + waitMs;
  }
}

/** Number of event ids that are remembered: more than arrive within the overlap of two reads. */
const KNOWN = 2_000;

/** Milliseconds between two reads if no limit is reported. Messages may be read 15 times in 15 minutes. */
const UNTOLD_MS = 60_000;
/** Minimum milliseconds between two reads, and the interval if the platform does not count reads against its limit. */
const UNCOUNTED_MS = 2_000;

/**
 * Computes the real milliseconds until the next read, so that the budget lasts until the window's reset. Pure.
 *
 * @param window Budget after the last read, as the platform reported it.
 * @param now Milliseconds since the epoch, by the platform's clock.
 */
export function paceMs(window: RateLimit | undefined, now: number): number {
  if (window === undefined) return UNTOLD_MS;
  if (window.remaining >= window.limit) return UNCOUNTED_MS;
  const leftMs = Math.max(0, window.resetAt - now);
  return Math.max(UNCOUNTED_MS, leftMs / Math.max(1, window.remaining));
}
