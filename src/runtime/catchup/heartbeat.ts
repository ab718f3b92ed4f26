import type { Clock, SetBack } from "../clock/clock.ts";
import { overlap } from "../../system/spans.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import type { CoverageChange } from "../store/coverage.ts";
import type { DeliveryChange } from "./delivery-watch.ts";
import type { Ledger } from "./ledger.ts";
import type { DeliveryDoubt, LedgerProofs } from "./ledger-proofs.ts";
import type { LedgerSetBacks } from "./ledger-set-backs.ts";
import { FOREVER } from "./ledger-spans.ts";
import { CLOCK_MARGIN_MS, type Gap } from "./plan.ts";
import { type SetBacks, setBacks } from "./set-backs.ts";

export interface HeartbeatNeeds {
  readonly ledger: LedgerSetBacks &
    Pick<LedgerProofs, "takeBack"> &
    Pick<Ledger, "cover" | "ends" | "retire">;
  readonly clock: Clock;
  /** Real milliseconds, independent of the runtime's clock: `performance.now()`. */
  readonly monotonic: () => number;
  readonly log: Log;
  /** Called when the ledger may have a new gap. */
  readonly onGap: () => void;
  /** Called with accounts whose events arrive for the first time, or for the first time since they were unlinked. */
  readonly onFirst: (changes: readonly DeliveryChange[]) => void;
  /** Called before a set-back of the clock is written to the ledger. */
  readonly onSetBack: (by: SetBack) => Promise<void>;
}

/** Real milliseconds between two writes of the coverage. */
export const BEAT_EVERY_MS = 15_000;

/** Milliseconds that a delivery may take to arrive. Coverage of more recent time is not recorded yet. */
export const SETTLED_AFTER_MS = 30_000;

/**
 * Longest real time between two beats, in milliseconds. A longer time means that the process was stopped or the machine
 * slept.
 */
const LONGEST_SILENCE_MS = 60_000;

/** Records at intervals the time up to which deliveries have arrived, in one small write for all accounts. */
export class Heartbeat {
  readonly #needs: HeartbeatNeeds;
  readonly #unfollow: () => void;
  readonly #loop;
  /** End of the coverage of each reachable account. */
  readonly #covered = new Map<string, number>();
  readonly #setBacks: SetBacks;
  /** Set-backs of the clock since this process started, each with the accounts whose deliveries arrived at the time. */
  readonly #lived: (SetBack & { readonly live: ReadonlySet<string> })[] = [];
  /**
   * Stretches of time before a set-back of the clock whose deliveries may have been in transit at the set-back, with
   * the real time of the set-back.
   */
  #onTheWay: { readonly ends: readonly Gap[]; readonly real: number }[] = [];
  #isLedgerLooked = false;
  #last: { readonly real: number; readonly now: number };
  #jumped = false;
  /** Changes of reachability that are not in the ledger yet. After a failed write, the next beat writes them. */
  readonly #unnoted: DeliveryChange[] = [];
  /** Resolves when the next write of changes is done; undefined once it has begun. Further changes join this write. */
  #coming: Promise<void> | undefined;
  /** Queue of writes to the ledger: a change must not overtake a beat. */
  #work: Promise<void> = Promise.resolve();

  constructor(needs: HeartbeatNeeds) {
    this.#needs = needs;
    this.#last = { real: needs.monotonic(), now: needs.clock.now() };
    this.#setBacks = setBacks(needs);
    this.#unfollow = needs.clock.onJump(() => {
      this.#jumped = needs.clock.jumpsAreCorrections !== true;
      this.#setBacks.look();
    });
    this.#loop = pollLoop({
      poll: () => this.beat(),
      everyMs: BEAT_EVERY_MS,
      onError: (error) =>
        needs.log.error({ err: error }, "the time without missed events could not be stored"),
    });
  }

  /** Ids of the accounts whose deliveries arrive. */
  reachable(): readonly string[] {
    return [...this.#covered.keys()];
  }

  /**
   * Returns the stretches with deliveries in transit at a set-back of the clock. These deliveries have likely arrived
   * and are recorded soon.
   */
  settling(): readonly Gap[] {
    return this.#onTheWay.flatMap(({ ends }) => ends);
  }

  /** Writes a change of reachability to the ledger. Changes that arrive together are written together. */
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

  /**
   * Notes in the ledger that an account was unlinked at the time `at`. Later coverage of the account is not recorded,
   * although its subscription may end later.
   */
  retire(account: string, at: number): Promise<void> {
    return this.#after(async () => {
      await this.#note();
      this.#covered.delete(account);
      await this.#needs.ledger.retire(account, at);
    });
  }

  /** Records the coverage up to now. Also runs by itself every {@link BEAT_EVERY_MS}. */
  beat(): Promise<void> {
    return this.#after(() => this.#beat());
  }

  /**
   * Reads the ledger between two writes of the heartbeat, so that the coverage fits the accounts whose deliveries
   * arrive.
   */
  between<T>(read: (reachable: readonly string[]) => Promise<T>): Promise<T> {
    return this.#after(() => read(this.reachable()));
  }

  async stop(): Promise<void> {
    this.#unfollow();
    await this.#loop.stop();
    await this.beat();
  }

  #after<T>(what: () => Promise<T>): Promise<T> {
    const done = this.#work.then(() => this.#followClock()).then(what);
    const ended = (): void => {};
    this.#work = done.then(ended, ended);
    return done;
  }

  /** Writes set-backs of the clock to the ledger, before any other write. */
  async #followClock(): Promise<void> {
    await this.#setBacks.each((by) => this.#setBack(by));
    if (this.#isLedgerLooked) return;
    // After a set-back of the clock while no process ran, the ledger contains coverage of future time. Such coverage is
    // doubted.
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
    log.info({ was, to }, "the clock was set back: events of the repeated time are expected again");
    onGap();
  }

  /** Marks deliveries that were in transit at a set-back as arrived, once enough time has passed. */
  async #arrived(real: number): Promise<void> {
    const isHere = (one: { readonly real: number }): boolean => real - one.real >= SETTLED_AFTER_MS;
    const ends = this.#onTheWay.filter(isHere).flatMap((one) => one.ends);
    this.#onTheWay = this.#onTheWay.filter((one) => !isHere(one));
    if (ends.length === 0) return;
    await this.#needs.ledger.cameAfterAll(ends);
    // The clock may have been set back again since, so that it shows this time once more. Time that has not come again
    // yet is not covered.
    const again = ends.flatMap(({ account, ...end }): CoverageChange[] => {
      const part = overlap(end, { from: -Infinity, to: this.#covered.get(account) ?? -Infinity });
      return part === undefined ? [] : [{ account, ...part, state: "unproven" }];
    });
    await this.#needs.ledger.cover(again);
  }

  /** Stops assuming that these accounts' deliveries that were in transit at a set-back of the clock have arrived. */
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
    const { ledger, onFirst, onGap } = this.#needs;
    const ends = await ledger.ends(fresh.map(({ account }) => account));
    await ledger.cover(
      fresh.flatMap(({ account, since: from }): CoverageChange[] => [
        // Reopens the time from `since` on: it ends the state "not linked" of an account that was unlinked before.
        { account, from, to: FOREVER, state: "open" },
        { account, from, to: from + 1, state: "unproven" },
      ]),
    );
    for (const { account, since } of fresh) this.#covered.set(account, since + 1);
    onFirst(fresh.filter(({ account }) => (ends.get(account) ?? FOREVER) >= FOREVER));
    onGap();
  }

  async #down(changes: readonly DeliveryChange[]): Promise<void> {
    const { ledger } = this.#needs;
    for (const { account } of changes) this.#covered.delete(account);
    this.#strand(new Set(changes.map(({ account }) => account)));
    const doubts: DeliveryDoubt[] = [];
    for (const { account, since } of changes) {
      // After a set-back, the clock has shown `since` twice. It may mean either time, so both are doubted.
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
    this.#jumped = clock.isMoving?.() === true;
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
    log.warn(
      { silentMs: Math.round(silence) },
      "this process did not run for a while (suspended or overloaded)",
    );
    onGap();
  }
}

/** Groups consecutive changes to write together: all to reachable or all to unreachable, each account once. */
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
