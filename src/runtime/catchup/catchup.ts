import type { Span } from "../../system/spans.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { repeatedWhileStoreFails } from "../loop/while-store-fails.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";
import type { EntrySource, NewEntry } from "../store/entry.ts";
import type { CatchupAccountChange, CatchupNeeds } from "./catchup-parts.ts";
import type { SetBack } from "../clock/clock.ts";
import { type CatchupStatus, catchupStatus } from "./catchup-status.ts";
import { type CoverageShown, readCoverage } from "./coverage-view.ts";
import type { DeliveryChange, DeliveryWatch } from "./delivery-watch.ts";
import { proofReplays, YOUNGER } from "./replay/proof-replays.ts";
import { FirstEvents } from "./first-events.ts";
import { type DeliveryGate, deliveryGate } from "./gate.ts";
import { gapReport } from "./gap-report.ts";
import { Heartbeat } from "./heartbeat.ts";
import { ledgerOf } from "./ledger.ts";
import { byAccountOf, type Gap, planCatchup } from "./plan.ts";
import { openGaps } from "./open-gaps.ts";
import { refusalMemory } from "./replay/refusal-memory.ts";
import { type HandAnswer, type ListedReplay, replayList } from "./replay/replay-list.ts";
import { type Reading, Readings } from "./readings.ts";
import { type EndedJob, ReplayRunner } from "./replay/replay-runner.ts";
import { spotCheck } from "./spot-check.ts";
import { undeliveredEvents } from "./undelivered.ts";

/** Longest time in real milliseconds that the runtime's start is delayed to read missed messages and mentions. */
const START_WAITS_MS = 20_000;
const POLL_EVERY_MS = 5_000;

/**
 * Returns the source to record for an event: `replay` instead of `webhook` if the event's time is in the replayed
 * window.
 */
export function sourceDuring(
  /** Window of the replay under way, if any. */
  replay: Span | undefined,
  source: EntrySource,
  at: number,
): EntrySource {
  if (replay === undefined || source !== "webhook") return source;
  return at >= replay.from && at < replay.to ? "replay" : source;
}

/**
 * Closes gaps in the events of the linked accounts: reads missed messages and mentions back, then has the platform
 * replay the missed time.
 */
export class Catchup {
  /** Gate that every delivery of the webhook passes. It holds deliveries back while older events are being read. */
  readonly gate: DeliveryGate;
  readonly #needs: CatchupNeeds;
  readonly #ledger;
  readonly #heartbeat;
  readonly #gaps;
  readonly #runner;
  readonly #report;
  readonly #replays;
  readonly #refusal;
  readonly #proofs;
  /**
   * Times of the new events of the current replay, by account. Undefined once another process has received some of the
   * events, because their times are not known here.
   */
  #fresh: Map<string, number[]> | undefined;
  /**
   * Number of times so far that deliveries to an account started or stopped arriving. `#pending` counts those of these
   * changes that are not in the ledger yet.
   */
  #changes = 0;
  #pending = 0;
  /**
   * Number of times that the clock was set back. Gaps that were read from the ledger before a set-back are outdated.
   */
  #setBacks = 0;
  readonly #loop;
  readonly #stopping = new AbortController();
  readonly #ends: (() => void)[] = [() => this.#stopping.abort()];
  readonly #readings;
  readonly #spotCheck;
  readonly #undelivered;
  readonly #first;

  constructor(needs: CatchupNeeds) {
    const { store, clock, log, accounts, doubts } = needs;
    this.#needs = needs;
    this.#ledger = ledgerOf(store);
    this.#gaps = openGaps({ clock, ledger: this.#ledger, heartbeat: () => this.#heartbeat });
    this.#refusal = refusalMemory(clock, needs.noReplay);
    this.#proofs = proofReplays({ ...needs, ledger: this.#ledger });
    this.#replays = replayList(needs.noReplay);
    this.gate = deliveryGate({
      monotonic: needs.monotonic,
      now: () => clock.now(),
      onKnock: (account) => this.#knocked(account),
      onLetThrough: throttle(LOG_EVERY_MS, (account, times) =>
        log.warn({ account, times }, "delivery accepted before all older missed events were read"),
      ),
    });
    const usernameOf = (id: string): string => accounts.find(id)?.username ?? id;
    this.#report = gapReport({ ...needs, usernameOf });
    const onRead = (account: string, to: number): void => {
      this.gate.open(account, to);
      this.#loop.wake();
    };
    const onStuck = (account: string, isReading: boolean): void =>
      this.gate.letThrough(account, isReading);
    const unlinked = (account: string): Promise<readonly Span[]> => this.#ledger.unlinked(account);
    this.#readings = new Readings({ ...needs, unlinked, onRead, onStuck });
    this.#spotCheck = spotCheck({
      ...needs,
      lastProof: (account) => doubts.lastProof(account),
      uncompared: (account, span) => this.#ledger.uncompared(account, span),
      expectedSince: (account) => this.#ledger.expectedSince(account),
      onCompared: (compared) => this.#ledger.vouch([compared], "compared"),
      onMissing: (account, since) =>
        doubts.raise({ accounts: [account], since, reason: "deliveries were missed" }),
    });
    this.#runner = new ReplayRunner({
      ...needs,
      replay: needs.app.replay,
      subscribed: () => this.#subscribed(),
      onUnreachable: (reason) =>
        doubts.raise({ accounts: this.#subscribed(), since: doubts.lastProof(), reason }),
    });
    this.#loop = pollLoop({
      poll: () => this.#step(),
      everyMs: POLL_EVERY_MS,
      onError: (error) => log.error({ err: error }, "catching up failed; trying again"),
    });
    const onGap = (): void => this.#loop.wake();
    this.#undelivered = undeliveredEvents({ ...needs, now: () => clock.now(), onDue: onGap });
    const onSetBack = (by: SetBack): Promise<void> => this.#setBack(by);
    this.#first = new FirstEvents(clock);
    const onFirst = (changes: readonly DeliveryChange[]): void =>
      this.#readAll(this.#first.begin(changes));
    this.#heartbeat = new Heartbeat({ ...needs, ledger: this.#ledger, onFirst, onGap, onSetBack });
    this.#ends.push(
      clock.onJump(onGap),
      accounts.subscribe((change) => this.#retire(change)),
    );
  }

  /**
   * Reads events missed since the last run, before the webhook listens, so that people who wrote meanwhile are answered
   * in order.
   *
   * Resolves when all events have been read, at the latest after 20 seconds. It resolves earlier if a rate limit or an
   * unreachable platform delays the reading. The reading then continues in the background.
   */
  async readMissed(): Promise<void> {
    if (this.#needs.noReplay === undefined) await this.#runner.resume();
    // Records a set-back of the clock that happened while no process ran, before the gaps are computed.
    await this.#heartbeat.beat();
    const linked = this.#needs.accounts.list().filter(({ revoked }) => revoked === undefined);
    const accounts = linked.map(({ id }) => id);
    let heldUp = (): void => {};
    const isHeldUp = new Promise<void>((resolve) => (heldUp = resolve));
    const reading = this.#readUpToNow(accounts, heldUp);
    await settlesWithin(START_WAITS_MS, Promise.race([reading, isHeldUp]));
  }

  /** Closes an account's gate and updates the ledger whenever its deliveries start or stop arriving. */
  follow(watch: DeliveryWatch): void {
    const unfollow = watch.onReachable((change) => {
      // The gate opens again once the change is in the ledger and the missed events have been read.
      this.gate.close(change.account, this.#needs.clock.now());
      this.#changes += 1;
      this.#pending += 1;
      this.#heartbeat
        .change(change)
        .catch((error: unknown) =>
          this.#needs.log.error(
            { err: error, ...change },
            "the time without missed events could not be stored",
          ),
        )
        .finally(() => {
          this.#pending -= 1;
          this.#loop.wake();
        });
    });
    this.#ends.push(unfollow);
    this.#loop.wake();
  }

  /** Returns the source to record for an event: `replay` if the current replay brought the event. */
  sourceOf(source: EntrySource, at: number): EntrySource {
    return sourceDuring(this.replaying(), source, at);
  }

  /** Window of the replay that the platform is delivering; undefined while none is under way. */
  replaying(): Span | undefined {
    const job = this.#runner.current();
    return job === undefined || job.retryAt !== undefined ? undefined : job;
  }

  /** Ids of the accounts whose deliveries arrive. */
  reachable(): readonly string[] {
    return this.#heartbeat.reachable();
  }

  /** Counts new events that have been appended to the journal. */
  onAppended(entries: readonly NewEntry[]): void {
    this.#report.count(entries);
    this.#undelivered.appended(entries);
    const replayed = entries.filter(({ source }) => source === "replay");
    for (const { account, at } of replayed) {
      const times = this.#fresh?.get(account);
      if (times === undefined) this.#fresh?.set(account, [at]);
      else times.push(at);
    }
    this.#replays.count(replayed.length);
    if (entries.some(({ kind }) => kind === "replay_finished")) this.#loop.wake();
  }

  /** Counts events that the journal already contained. */
  onKnown(entries: readonly NewEntry[]): void {
    this.#undelivered.delivered(entries);
    this.#replays.countKnown(entries.filter(({ source }) => source === "replay").length);
  }

  /** Counts replayed events that other processes received: new events by account, and the number of duplicates. */
  replayedElsewhere(fresh: ReadonlyMap<string, number>, duplicates: number): void {
    for (const [account, events] of fresh) {
      this.#report.countReplayed(account, events, this.#runner.current());
      if (events > 0) this.#fresh = undefined;
      this.#replays.count(events);
    }
    this.#replays.countKnown(duplicates);
  }

  /** Returns the coverage of the linked accounts for the last `hours` hours. */
  coverage(query: { readonly hours: number }): Promise<CoverageShown> {
    return this.#heartbeat.between((reachable) =>
      readCoverage(query, {
        ...this.#needs,
        ledger: this.#ledger,
        reachable,
        readOf: (account) => this.#readings.done(account),
      }),
    );
  }

  replay({ from, to }: Span): HandAnswer {
    const now = this.#needs.clock.now();
    const at = (time: number): number => (time < 0 ? now + time : time);
    const answer = this.#replays.ask({ from: at(from), to: at(to) }, now);
    this.#loop.wake();
    return answer;
  }

  /** Returns the current replay, the queued replays and the last finished ones. */
  replays(): ListedReplay[] {
    return this.#replays.all(this.#runner.current());
  }

  status(): CatchupStatus {
    const noReplay = this.#refusal.reason();
    return catchupStatus({ gaps: this.#report.openGaps(), job: this.#runner.current(), noReplay });
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) end();
    this.#undelivered.stop();
    await this.#readings.stop();
    await this.#spotCheck.stop();
    await this.#loop.stop();
    await this.#heartbeat.stop();
  }

  /** Forgets what was read or replayed of the time after `to`: the clock was set back, so this time comes again. */
  async #setBack({ to }: SetBack): Promise<void> {
    this.#setBacks += 1;
    this.#readings.setBack(to);
    await this.#runner.setBack(to);
  }

  /**
   * Stops expecting events of an account that the operator unlinked, and notes when one was linked. Events of an account whose owner revoked the
   * authorization are still expected: they are read back once the account is linked again.
   */
  #retire({ type, account }: CatchupAccountChange): void {
    if (type === "linked") {
      this.#first.linked(account.id);
      this.#readings.linkedAgain(account.id);
      return this.#loop.wake();
    }
    const { accounts, clock, log } = this.#needs;
    const { id } = account;
    const at = clock.now();
    const note = async (): Promise<void> => {
      // The account may have been linked again while the store failed.
      if (type === "removed" && accounts.find(id) === undefined)
        await this.#heartbeat.retire(id, at);
      await this.#runner.leave(id);
    };
    repeatedWhileStoreFails(note, this.#stopping.signal).catch((error: unknown) =>
      log.error({ err: error, account: id }, "the time without missed events could not be stored"),
    );
  }

  /**
   * Reads an account's missed events back. Called when a delivery waits at the account's closed gate, which proves that
   * the platform's deliveries arrive again.
   */
  #knocked(account: string): void {
    this.#readUpToNow([account]).catch((error: unknown) => {
      this.#needs.log.error(
        { err: error, account },
        "missed events could not be read from the platform",
      );
    });
  }

  /**
   * Reads back the events that these accounts may have missed up to now. Holds deliveries to these accounts back until
   * the reading is done.
   */
  async #readUpToNow(accounts: readonly string[], onHeldUp?: () => void): Promise<void> {
    const now = this.#needs.clock.now();
    // Both are read between two writes of the heartbeat: a gap that ends between the two reads would be in neither.
    const missed = await this.#heartbeat.between(async () => {
      const { past } = await this.#gaps(accounts);
      return [...past, ...(await this.#openEnds(accounts, now))];
    });
    const reading: Promise<void>[] = [];
    for (const [account, gaps] of byAccountOf(missed)) {
      this.#report.reportFound(gaps);
      const [first] = gaps.flatMap((gap) => this.#readings.unread(gap));
      if (first === undefined) continue;
      this.gate.awaitReading(account, now);
      reading.push(this.#readings.read({ account, from: first.from, to: now }, onHeldUp));
    }
    for (const account of accounts) {
      if (!this.#readings.busy(account)) this.gate.letThrough(account);
    }
    await Promise.all(reading);
  }

  /** Returns a gap from the end of the coverage up to `now`, for each account whose deliveries do not arrive. */
  async #openEnds(accounts: readonly string[], now = this.#needs.clock.now()): Promise<Gap[]> {
    const reachable = new Set(this.#heartbeat.reachable());
    const away = accounts.filter((account) => !reachable.has(account));
    if (away.length === 0) return [];
    const ends = [...(await this.#ledger.ends(away))].filter(([, end]) => end < now);
    return ends.map(([account, from]) => ({ account, from, to: now }));
  }

  /** Returns the accounts subscribed to the webhook, including those whose deliveries may be missing. */
  #subscribed(): readonly string[] {
    return [...new Set([...this.#heartbeat.reachable(), ...this.#needs.doubts.doubted()])];
  }

  /**
   * Reads the events of refused deliveries back once the store accepts writes again, since the platform may repeat the
   * deliveries only minutes later.
   */
  async #readRefused(): Promise<void> {
    const accounts = await this.#needs.doubts.takeRefused();
    if (accounts.length === 0) return;
    // Reading starts where an account's coverage ends, so the ledger must first end the coverage of these accounts.
    await this.#heartbeat.beat();
    await this.#readUpToNow(accounts);
  }

  #readAll(stretches: readonly Reading[]): void {
    for (const stretch of stretches) void this.#readings.read(stretch);
  }

  /** Runs one step of the catch-up: reads first, then replays, one job at a time. */
  async #step(): Promise<void> {
    await this.#readRefused();
    this.#readAll([...this.#undelivered.due(), ...this.#first.due()]);
    const changes = this.#pending === 0 ? this.#changes : -1;
    const accounts = this.#heartbeat.reachable();
    const setBacks = this.#setBacks;
    const { all, past: gaps } = await this.#gaps(accounts);
    this.#report.reportFound([...all, ...(await this.#openEnds(this.#needs.doubts.doubted()))]);
    for (const gap of gaps) {
      if (this.#readings.busy(gap.account)) continue;
      const [span] = this.#readings.unread(gap);
      if (span !== undefined) void this.#readings.read({ account: gap.account, ...span });
    }
    // Events that are being read come before events of a replay, so that people are answered in order.
    if (this.#readings.busy()) return;
    if (changes === this.#changes) for (const account of accounts) this.gate.open(account);
    this.#spotCheck.step(this.#subscribed());
    const ended = await this.#runner.step();
    if (setBacks !== this.#setBacks) return this.#loop.wake();
    if (ended !== undefined) await this.#take(ended, gaps);
    if (this.#runner.current() === undefined) await this.#begin(accounts);
  }

  async #take(ended: EndedJob, gaps: readonly Gap[]): Promise<void> {
    if (ended.outcome === "complete") {
      // Records the coverage up to now first, so that the completed replay marks this coverage as proven, too.
      await this.#heartbeat.beat();
      const young = await this.#proofs.complete(ended.job, gaps, this.#fresh);
      for (const gap of young) await this.#settle(gap, YOUNGER);
    }
    this.#refusal.take(ended);
    this.#replays.ended(ended);
    await this.#runner.forget();
  }

  async #begin(accounts: readonly string[]): Promise<void> {
    const setBacks = this.#setBacks;
    const { past: gaps, now } = await this.#gaps(accounts);
    const refusal = this.#refusal.reason();
    const plan = planCatchup({ gaps, now, replays: refusal === undefined });
    for (const { reason, ...gap } of plan.beyond) {
      if (setBacks !== this.#setBacks) return this.#loop.wake();
      await this.#settle(gap, refusal === undefined ? reason : `${reason}: ${refusal}`);
    }
    const wanted = this.#replays.next();
    const by = wanted !== undefined ? "hand" : plan.jobs.length > 0 ? "gap" : "check";
    const job =
      wanted ??
      plan.jobs[0] ??
      (refusal === undefined ? await this.#proofs.due(accounts, now) : undefined);
    if (job !== undefined) {
      this.#fresh = new Map();
      await this.#runner.begin(job, by);
      this.#loop.wake();
    }
    this.#report.reportClosed((await this.#gaps(accounts)).all, accounts);
  }

  /** Closes a gap that no replay can bring back: only messages and mentions that could be read are recovered. */
  async #settle(gap: Gap, why: string): Promise<void> {
    const refused = this.#readings.refused(gap);
    const parts = Object.entries(refused).map(
      ([what, reason]) => `${what} can't be read: ${reason}`,
    );
    const state = "messages" in refused ? "lost" : "backfilled";
    const reason = [why, ...parts].join("; ");
    await this.#ledger.close([gap], gap, { state, reason });
    this.#report.reportLost(gap, { state, reason });
  }
}
