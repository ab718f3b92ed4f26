import type { Clock, SetBack } from "../clock/clock.ts";
import { overlap } from "../../system/spans.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import type { CoverageChange } from "../store/coverage.ts";
import type { DeliveryChange } from "./delivery-watch.ts";
import { type DeliveryDoubt, FOREVER, type Ledger } from "./ledger.ts";
import { CLOCK_MARGIN_MS, type Gap } from "./plan.ts";
import { type SetBacks, setBacks } from "./set-backs.ts";

export interface HeartbeatNeeds {
  readonly ledger: Omit<
    Ledger,
    "gaps" | "ends" | "retire" | "close" | "unproven" | "uncompared" | "vouch"
  >;
  readonly clock: Clock;
  /** Real milliseconds that go on while the clock is moved: `performance.now()`. */
  readonly monotonic: () => number;
  readonly log: Log;
  /** Called when the ledger may have got a gap. */
  readonly onGap: () => void;
  /** Called before the ledger learns that the clock was set back. */
  readonly onSetBack: (by: SetBack) => Promise<void>;
}

/** Real milliseconds between two notes. */
export const BEAT_EVERY_MS = 15_000;

/** A delivery may be on its way for so long: what is younger is not noted yet. */
export const SETTLED_AFTER_MS = 30_000;

/** A process that was silent for longer took nothing in meanwhile: it was stopped, or the machine slept. */
const LONGEST_SILENCE_MS = 60_000;

/** Starts to note what comes; one small write for all accounts together. */
export class Heartbeat {
  readonly #needs: HeartbeatNeeds;
  readonly #unfollow: () => void;
  readonly #loop;
  /** Up to when each reachable account is covered. */
  readonly #covered = new Map<string, number>();
  readonly #setBacks: SetBacks;
  /** Those that this process lived through, and for whom deliveries came then. */
  readonly #lived: (SetBack & { readonly live: ReadonlySet<string> })[] = [];
  /** What may have been on its way when the clock was set back, and when that was. */
  #onTheWay: { readonly ends: readonly Gap[]; readonly real: number }[] = [];
  #isLedgerLooked = false;
  #last: { readonly real: number; readonly now: number };
  #jumped = false;
  /** Changes that are not in the ledger yet; a failed write is repeated with the next beat. */
  readonly #unnoted: DeliveryChange[] = [];
  /** Resolves when changes that come together are noted; undefined once their turn has come. */
  #coming: Promise<void> | undefined;
  /** One write after the other: a change must not overtake a beat. */
  #work: Promise<void> = Promise.resolve();

  constructor(needs: HeartbeatNeeds) {
    this.#needs = needs;
    this.#last = { real: needs.monotonic(), now: needs.clock.now() };
    this.#setBacks = setBacks(needs);
    this.#unfollow = needs.clock.onJump(() => {
      this.#jumped = true;
      this.#setBacks.look();
    });
    this.#loop = pollLoop({
      poll: () => this.beat(),
      everyMs: BEAT_EVERY_MS,
      onError: (error) => needs.log.error({ err: error }, "coverage not noted"),
    });
  }

  /** Ids of the accounts whose deliveries come. */
  reachable(): readonly string[] {
    return [...this.#covered.keys()];
  }

  /** What was on its way when the clock was set back, and has likely come; soon it is noted like the time before. */
  settling(): readonly Gap[] {
    return this.#onTheWay.flatMap(({ ends }) => ends);
  }

  /** Deliveries for an account begin to come, or come no longer; changes that come together are noted together. */
  change(change: DeliveryChange): Promise<void> {
    this.#unnoted.push(change);
    if (this.#coming !== undefined) return this.#coming;
    const take = (): void => {
      if (this.#coming === noted) this.#coming = undefined;
    };
    const noted = this.#after(async () => {
      take();
      await this.#note();
    }).finally(take);
    this.#coming = noted;
    return noted;
  }

  /** Notes what has come by now; called every {@link BEAT_EVERY_MS} on its own. */
  beat(): Promise<void> {
    return this.#after(() => this.#beat());
  }

  async stop(): Promise<void> {
    this.#unfollow();
    await this.#loop.stop();
    await this.beat();
  }

  #after(what: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => this.#followClock()).then(what);
    this.#work = done.catch(() => {});
    return done;
  }

  /** Whatever is noted next is of the time that the clock shows now. */
  async #followClock(): Promise<void> {
    await this.#setBacks.each((by) => this.#setBack(by));
    if (this.#isLedgerLooked) return;
    // Nobody told of a clock that was set back while no process ran.
    await this.#needs.ledger.doubtAfter(this.#needs.clock.now() + CLOCK_MARGIN_MS);
    this.#isLedgerLooked = true;
  }

  async #setBack(by: SetBack): Promise<void> {
    const { ledger, log, monotonic, onGap, onSetBack } = this.#needs;
    await onSetBack(by);
    const ends = await ledger.setBack(by);
    const real = monotonic();
    const isSilent = real - this.#last.real > LONGEST_SILENCE_MS;
    const came = ends.filter(({ account }) => !isSilent && this.#covered.has(account));
    this.#onTheWay.push({ ends: came, real });
    this.#lived.push({ ...by, live: new Set(this.#covered.keys()) });
    for (const [account, covered] of this.#covered) {
      this.#covered.set(account, Math.min(covered, by.to));
    }
    const [was, to] = [by.was, by.to].map((at) => new Date(at).toISOString());
    log.info({ was, to }, "the clock was set back: this time is to be covered again");
    onGap();
  }

  /** It was on its way, and deliveries came on: it is here. */
  async #arrived(real: number): Promise<void> {
    const isHere = (one: { readonly real: number }): boolean => real - one.real >= SETTLED_AFTER_MS;
    const ends = this.#onTheWay.filter(isHere).flatMap((one) => one.ends);
    this.#onTheWay = this.#onTheWay.filter((one) => !isHere(one));
    if (ends.length === 0) return;
    await this.#needs.ledger.cameAfterAll(ends);
    // The clock may have come by that time again meanwhile.
    const again = ends.flatMap(({ account, ...end }): CoverageChange[] => {
      const part = overlap(end, { from: -Infinity, to: this.#covered.get(account) ?? -Infinity });
      return part === undefined ? [] : [{ account, ...part, state: "unproven" }];
    });
    await this.#needs.ledger.cover(again);
  }

  /** What these accounts had on its way does not count as here. */
  #strand(accounts: ReadonlySet<string>): void {
    this.#onTheWay = this.#onTheWay.map(({ ends, real }) => ({
      ends: ends.filter((end) => !accounts.has(end.account)),
      real,
    }));
  }

  async #note(): Promise<void> {
    for (;;) {
      const [group] = alike(this.#unnoted);
      if (group === undefined) return;
      await (group[0]?.reachable === true ? this.#up(group) : this.#down(group));
      this.#unnoted.splice(0, group.length);
    }
  }

  async #up(changes: readonly DeliveryChange[]): Promise<void> {
    const fresh = changes.filter(({ account }) => !this.#covered.has(account));
    if (fresh.length === 0) return;
    await this.#needs.ledger.cover(
      fresh.flatMap(({ account, since: from }): CoverageChange[] => [
        // An account that was unlinked is expected again.
        { account, from, to: FOREVER, state: "open" },
        { account, from, to: from + 1, state: "unproven" },
      ]),
    );
    for (const { account, since } of fresh) this.#covered.set(account, since + 1);
    this.#needs.onGap();
  }

  async #down(changes: readonly DeliveryChange[]): Promise<void> {
    const { ledger } = this.#needs;
    for (const { account } of changes) this.#covered.delete(account);
    this.#strand(new Set(changes.map(({ account }) => account)));
    const doubts: DeliveryDoubt[] = [];
    for (const { account, since } of changes) {
      // Where the clock came by that time twice nobody knows which time is meant: the first is the one in doubt.
      const twice = this.#lived.filter(({ was, live }) => since <= was && live.has(account));
      for (const { to, was } of twice) {
        await ledger.missedBefore({ account, from: Math.max(since, to), to: was });
      }
      doubts.push({ account, since: Math.min(since, ...twice.map(({ to }) => to)) });
    }
    await ledger.takeBack(doubts);
  }

  async #beat(): Promise<void> {
    const { clock, monotonic, ledger, log, onGap } = this.#needs;
    await this.#note();
    const [now, real] = [clock.now(), monotonic()];
    const silence = Math.max(real - this.#last.real, this.#jumped ? 0 : now - this.#last.now);
    this.#last = { now, real };
    this.#jumped = false;
    const silent = silence > LONGEST_SILENCE_MS;
    if (silent) this.#onTheWay = [];
    else await this.#arrived(real);
    const changes: CoverageChange[] = [];
    for (const [account, covered] of this.#covered) {
      const to = silent ? now + 1 : now - SETTLED_AFTER_MS;
      const from = silent ? now : covered;
      if (from < to) changes.push({ account, from, to, state: "unproven" });
    }
    await ledger.cover(changes);
    for (const { account, to } of changes) this.#covered.set(account, to);
    if (!silent || changes.length === 0) return;
    log.warn({ silentMs: Math.round(silence) }, "this process was stopped for a while");
    onGap();
  }
}

/** Changes in their order, in groups of one kind that have each account once. */
function alike(changes: readonly DeliveryChange[]): readonly (readonly DeliveryChange[])[] {
  const groups: DeliveryChange[][] = [];
  let accounts = new Set<string>();
  for (const change of changes) {
    const last = groups.at(-1);
    if (last?.[0]?.reachable === change.reachable && !accounts.has(change.account)) {
      last.push(change);
    } else {
      groups.push([change]);
      accounts = new Set();
    }
    accounts.add(change.account);
  }
  return groups;
}
