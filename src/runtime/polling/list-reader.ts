import type { RateLimit } from "../../client/client.ts";
import { PlatformError, RateLimitError } from "../../client/errors.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Clock } from "../clock/clock.ts";
import { type BackOff, backOffMs } from "../loop/back-off.ts";
import {
  type Cursor,
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
  /** The account's client with its tokens of now; undefined while it may not act. */
  readonly clientOf: (account: string) => ReadingClient | undefined;
  readonly memory: CursorMemory;
  readonly clock: Clock;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
}

/** Why a list can't be read. */
export interface ListTrouble {
  readonly reason: string;
  /** Nothing changes until somebody changes it. */
  readonly isOperators: boolean;
}

const SOON: BackOff = { leastMs: 500, baseMs: 2_000, mostMs: 5 * 60_000 };
const SLOWLY: BackOff = { leastMs: 30_000, baseMs: 60_000, mostMs: 15 * 60_000 };

/** Reads one list of one account, from its cursor on. */
export class ListReader {
  readonly #needs: ListReaderNeeds;
  #cursor: Cursor | undefined;
  /** Pages of a read that a limit or a fault broke off; it goes on from there. */
  #partial:
    | { readonly events: readonly PolledEvent[]; readonly token: string; readonly floor: number }
    | undefined;
  /** Ids that this process has put into the journal and that the next read shows again. */
  #known: ReadonlySet<string> = new Set();
  #failed = 0;
  #trouble: ListTrouble | undefined;
  /** Monotonic time of the next read. */
  #nextAt = 0;

  constructor(needs: ListReaderNeeds) {
    this.#needs = needs;
  }

  get name(): PolledList["name"] {
    return this.#needs.list.name;
  }

  /** Whether the last read gave everything that is there. */
  get isRead(): boolean {
    return this.#nextAt > 0 && this.#failed === 0;
  }

  /** Why it can't be read; undefined while it can. One failure alone is none. */
  get trouble(): ListTrouble | undefined {
    return this.#failed > 1 || this.#trouble?.isOperators === true ? this.#trouble : undefined;
  }

  /** Real milliseconds until it is to be read again. */
  waitMs(): number {
    return Math.max(0, this.#nextAt - performance.now());
  }

  /** Read again now: the platform's clock has jumped. Not while the platform said to wait. */
  hurry(): void {
    if (this.isRead) this.#nextAt = performance.now();
  }

  /** What is new, oldest first; nothing when it can't be read now. */
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

  /** Everything that `read` gave is in the journal: it is not read again. */
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
    const { list, account, clientOf, memory, clock } = this.#needs;
    this.#cursor ??= await openCursor(memory, { list: list.name, account, now: clock.now() });
    const client = clientOf(account);
    if (client === undefined) throw new Error("the account may not act now");
    const floor = this.#partial?.floor ?? floorOf(this.#cursor);
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
    const status = error instanceof PlatformError ? error.status : undefined;
    const isLimit = error instanceof RateLimitError;
    const isOperators = !isLimit && (status === 401 || status === 403);
    this.#trouble = { reason: messageOf(error), isOperators };
    // The token of a page may have run out; then it begins anew.
    if (status === 400) this.#partial = undefined;
    const untilReset = isLimit ? Math.max(0, (error.resetAt ?? 0) - clock.now()) : 0;
    const waitMs = backOffMs(isOperators ? SLOWLY : SOON, this.#failed, random());
    this.#nextAt = performance.now() + untilReset + waitMs;
  }
}

/** Ids of events that are remembered: more than come in the time that is read twice. */
const KNOWN = 2_000;

/** Where the platform does not tell its limit: that of reading messages is 15 in 15 minutes. */
const UNTOLD_MS = 60_000;
/** Where the platform does not count. */
const UNCOUNTED_MS = 2_000;

/**
 * Real milliseconds until the next read, so that a window's budget lasts until it is reset. Pure.
 *
 * @param window The budget after the last read, as the platform told it.
 * @param now Milliseconds since the epoch, by the platform's clock.
 */
export function paceMs(window: RateLimit | undefined, now: number): number {
  if (window === undefined) return UNTOLD_MS;
  if (window.remaining >= window.limit) return UNCOUNTED_MS;
  const leftMs = Math.max(0, window.resetAt - now);
  return Math.max(UNCOUNTED_MS, leftMs / Math.max(1, window.remaining));
}
