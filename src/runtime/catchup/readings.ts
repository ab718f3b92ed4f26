import { overlap, type Span, union, without } from "../../system/spans.ts";
import type { Log } from "../log.ts";
import type { Gap } from "./plan.ts";
import { type ReadBack, readBack, type ReadBackNeeds } from "./read-back.ts";

export interface ReadingsNeeds extends Omit<
  ReadBackNeeds,
  "onHeldUp" | "onLimited" | "signal" | "excluded"
> {
  readonly log: Log;
  /** Returns the stretches in which an account was not linked. No gap and no margin includes their events. */
  readonly unlinked: (account: string) => Promise<readonly Span[]>;
  /**
   * Called when an account's missed events can't be read soon: a rate limit delays the reading (`isReading`), or the
   * reading has ended, because the account has no client or the reading failed.
   */
  readonly onStuck: (account: string, isReading: boolean) => void;
  /** Called when an account's gap has been read up to `to`. */
  readonly onRead: (account: string, to: number) => void;
}

const MARGIN_MS = 60_000;

/**
 * Returns the stretch to read for a gap: it begins before the gap and ends after it. Messages that the platform shows a
 * little late are thus not missed, and are appended before the person's later messages.
 *
 * @param earliest Earliest start of the stretch, in milliseconds since the epoch.
 */
export function withMargins({ account, from, to }: Gap, earliest = -Infinity): Gap {
  return { account, from: Math.max(earliest, from - MARGIN_MS), to: to + MARGIN_MS };
}

/** Stretch of an account's time to read. */
export interface Reading extends Gap {
  /**
   * Whether only events of the stretch are read. Before it, the account was not linked, or no bot ran for it. After it,
   * deliveries are expected, and a reading would hide that they are missing.
   */
  readonly isExact?: boolean;
}

/** Stretch that is read once the account's current reading has ended. It grows with each further request. */
interface WaitingReading {
  gap: Reading;
  readonly onHeldUp: (() => void)[];
  readonly done: Promise<void>;
}

/** Stretch whose messages or mentions (`kind`) could not all be read. */
interface RefusedSpan extends Span {
  readonly kind: string;
  readonly reason: string;
}

/** Reads gaps back, one at a time for each account, and remembers the stretches that have been read. */
export class Readings {
  readonly #needs: ReadingsNeeds;
  readonly #ending = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Waiting readings, by account and by whether they are exact. */
  readonly #waiting = new Map<string, WaitingReading>();
  readonly #read = new Map<string, readonly Span[]>();
  /** Stretches that the platform refused to list since the account was linked. */
  readonly #tried = new Map<string, readonly Span[]>();
  readonly #refused = new Map<string, readonly RefusedSpan[]>();
  /** Time to which the clock was set back, for each set-back. */
  readonly #setBacks: number[] = [];

  constructor(needs: ReadingsNeeds) {
    this.#needs = needs;
  }

  /**
   * Reads a gap. If another gap of the account is being read, waits until that reading has ended, then reads the part
   * that is still unread. Gaps that wait together are read together, because the platform allows few reads.
   *
   * @param onHeldUp Called when the reading will take long.
   */
  read(gap: Reading, onHeldUp: () => void = () => {}): Promise<void> {
    const underWay = this.#underWay.get(gap.account);
    if (underWay !== undefined) return this.#readAfter(underWay, gap, onHeldUp);
    const reading = this.#readNow(gap, onHeldUp);
    this.#underWay.set(gap.account, reading);
    return reading;
  }

  /**
   * Removes time after `to` from the stretches that have been read. `to` is the time to which the clock was set back.
   */
  setBack(to: number): void {
    this.#setBacks.push(to);
    for (const stretches of [this.#read, this.#tried]) {
      for (const [account, spans] of stretches) stretches.set(account, before(to, spans));
    }
  }

  /** Makes the stretches unread that the platform refused to list, because the account has new tokens. */
  linkedAgain(account: string): void {
    this.#tried.set(account, []);
  }

  /** Stretches of an account that this process has read. */
  done(account: string): readonly Span[] {
    return this.#read.get(account) ?? [];
  }

  /**
   * Parts of a gap to read. A part that the platform refused to list is included together with adjacent new time, and
   * once the account is linked again.
   */
  unread(gap: Gap): readonly Span[] {
    const tried = this.#tried.get(gap.account) ?? [];
    const spans = without(gap, this.done(gap.account));
    return spans.filter((span) => without(span, tried).length > 0);
  }

  /** Whether a reading is under way: for this account if it is passed, else for any. */
  busy(account?: string): boolean {
    return account === undefined ? this.#underWay.size > 0 : this.#underWay.has(account);
  }

  /** Returns the kinds of events (`messages`, `mentions`) of a gap that could not all be read, with the reasons. */
  refused(gap: Gap): ReadBack["refused"] {
    const spans = this.#refused.get(gap.account) ?? [];
    const inGap = spans.filter((span) => overlap(span, gap) !== undefined);
    return Object.fromEntries(inGap.map(({ kind, reason }) => [kind, reason]));
  }

  /** Aborts all readings. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#underWay.values());
  }

  #readAfter(underWay: Promise<void>, gap: Reading, onHeldUp: () => void): Promise<void> {
    const key = `${gap.account} ${gap.isExact === true}`;
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      const { from, to } = waiting.gap;
      waiting.gap = { ...gap, from: Math.min(from, gap.from), to: Math.max(to, gap.to) };
      waiting.onHeldUp.push(onHeldUp);
      return waiting.done;
    }
    const added: WaitingReading = {
      gap,
      onHeldUp: [onHeldUp],
      done: underWay.then(() => {
        this.#waiting.delete(key);
        return this.#readOn(added);
      }),
    };
    this.#waiting.set(key, added);
    return added.done;
  }

  /** Reads the part of a waiting stretch that the account's previous reading has not covered. */
  async #readOn({ gap, onHeldUp }: WaitingReading): Promise<void> {
    const [first] = this.unread(gap);
    if (first === undefined || this.#ending.signal.aborted) return;
    await this.read({ ...gap, from: first.from }, () => onHeldUp.forEach((call) => call()));
  }

  async #readNow({ account, from, to, isExact }: Reading, onHeldUp: () => void): Promise<void> {
    const { log, onRead } = this.#needs;
    const { signal } = this.#ending;
    const seenCount = this.#setBacks.length;
    const tried = this.#tried.get(account);
    try {
      const gap = { account, from, to };
      const wanted = isExact === true ? gap : withMargins(gap);
      const onLimited = (): void => this.#needs.onStuck(account, true);
      const excluded = async () => (isExact === true ? [] : this.#needs.unlinked(account));
      const needs = { ...this.#needs, excluded, onHeldUp, onLimited, signal };
      const done = await readBack(wanted, needs);
      if (done === undefined) return this.#needs.onStuck(account, false);
      const end = Math.min(to, ...this.#setBacks.slice(seenCount));
      const spans = before(end, [{ from, to }]);
      this.#noteRefused(account, spans, done.refused);
      if (done.isRefused !== true)
        this.#read.set(account, union([...this.done(account), ...spans]));
      else if (tried === this.#tried.get(account))
        this.#tried.set(account, union([...(tried ?? []), ...spans]));
      if (done.fresh > 0)
        log.info({ account, events: done.fresh }, "missed events were read from the platform");
      this.#underWay.delete(account);
      onRead(account, end);
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error, account }, "missed events could not be read from the platform");
      this.#needs.onStuck(account, false);
    } finally {
      this.#underWay.delete(account);
    }
  }

  /** Records the kinds that could not all be read of newly read stretches, in place of earlier reasons. */
  #noteRefused(account: string, spans: readonly Span[], refused: ReadBack["refused"]): void {
    const fresh = spans.flatMap((span) => without(span, this.done(account)));
    const earlier = (this.#refused.get(account) ?? []).flatMap((one) =>
      without(one, fresh).map((rest) => ({ ...one, ...rest })),
    );
    const added = Object.entries(refused).flatMap(([kind, reason]) =>
      fresh.map((span) => ({ ...span, kind, reason })),
    );
    this.#refused.set(account, [...earlier, ...added]);
  }
}

function before(end: number, spans: readonly Span[]): readonly Span[] {
  return spans.flatMap((span) => overlap(span, { from: -Infinity, to: end }) ?? []);
}
