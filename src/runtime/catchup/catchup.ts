import type { Client } from "../../client/client.ts";
import { type Span, without } from "../../system/spans.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { settlesWithin } from "../loop/settles-within.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { EntrySource, NewEntry } from "../store/entry.ts";
import type { Store } from "../store/store.ts";
import type { DeliveryWatch } from "./delivery-watch.ts";
import { type DeliveryGate, deliveryGate } from "./gate.ts";
import { gapReport } from "./gap-report.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { ledgerOf } from "./ledger.ts";
import { type Gap, planCatchup } from "./plan.ts";
import { type AppendBackfill, type ReadBack, readBack, type ReadBackNeeds } from "./read-back.ts";
import { type EndedJob, replayRunner } from "./replay-runner.ts";

/** A bot account as the catch-up knows it. */
export interface CatchupAccount {
  readonly id: string;
  readonly username: string;
  readonly revoked?: string;
}

export interface CatchupNeeds {
  readonly store: Pick<Store, "coverage" | "cover" | "getMeta" | "setMeta" | "journal">;
  readonly clock: Clock;
  /** Real milliseconds that go on while the clock is moved: `performance.now()`. */
  readonly monotonic: () => number;
  readonly log: Log;
  readonly publish: (event: NewRuntimeEvent) => void;
  readonly accounts: { list(): readonly CatchupAccount[] };
  readonly app: { readonly replay: Pick<Client<"bearer">["replay"], "start"> };
  readonly clientOf: ReadBackNeeds["clientOf"];
  /** The platform's id of our webhook; undefined until it is registered. */
  readonly webhookId: () => string | undefined;
  readonly append: AppendBackfill;
}

/** Knows what was missed, and gets it. */
export interface Catchup {
  /**
   * Reads what was missed since the last run, before the webhook listens: so the people who wrote
   * meanwhile are answered in order. Goes on by itself where it takes longer than {@link START_WAITS_MS}.
   */
  readMissed(): Promise<void>;
  /** From now on follows whether deliveries come. */
  follow(watch: DeliveryWatch): void;
  /** Every delivery of the webhook passes through it. */
  readonly gate: DeliveryGate;
  /** How an event that came by `source` is marked: as replayed, where a replay brought it. */
  sourceOf(source: EntrySource, at: number): EntrySource;
  /** New events are in the journal. */
  onAppended(entries: readonly NewEntry[]): void;
  stop(): Promise<void>;
}

/** Real milliseconds that the start of the runtime waits for messages and mentions to be read. */
const START_WAITS_MS = 20_000;
const POLL_EVERY_MS = 5_000;

/** What the platform shows a little late must not fall between two readings. */
const READ_AGAIN_MS = 60_000;

/** A catch-up that follows nothing yet. */
export function startCatchup(needs: CatchupNeeds): Catchup {
  return new CatchingUp(needs);
}

class CatchingUp implements Catchup {
  readonly gate: DeliveryGate;
  readonly #needs: CatchupNeeds;
  readonly #ledger;
  readonly #heartbeat;
  readonly #runner;
  readonly #report;
  readonly #loop;
  readonly #ending = new AbortController();
  readonly #ends: (() => void)[] = [];
  /** Readings under way, by account. */
  readonly #reading = new Map<string, Promise<void>>();
  /** What this process has read, by account. */
  readonly #read = new Map<string, readonly Span[]>();
  readonly #refused = new Map<string, ReadBack["refused"]>();

  constructor(needs: CatchupNeeds) {
    const { store, clock, log, accounts } = needs;
    this.#needs = needs;
    this.#ledger = ledgerOf(store);
    this.gate = deliveryGate((account) => void this.#readTrailing([account], () => {}));
    const usernameOf = (id: string): string =>
      accounts.list().find((account) => account.id === id)?.username ?? id;
    this.#report = gapReport({ ...needs, usernameOf });
    this.#runner = replayRunner({ ...needs, replay: needs.app.replay });
    this.#loop = pollLoop({
      poll: () => this.#step(),
      everyMs: POLL_EVERY_MS,
      onError: (error) => log.error({ err: error }, "catching up failed; trying again"),
    });
    const onGap = (): void => this.#loop.wake();
    this.#heartbeat = startHeartbeat({ ...needs, ledger: this.#ledger, onGap });
    this.#ends.push(clock.onJump(onGap));
  }

  async readMissed(): Promise<void> {
    await this.#runner.resume();
    const linked = this.#needs.accounts.list().filter(({ revoked }) => revoked === undefined);
    const accounts = linked.map(({ id }) => id);
    let heldUp = (): void => {};
    const isHeldUp = new Promise<void>((resolve) => (heldUp = resolve));
    const reading = this.#readTrailing(accounts, heldUp);
    await settlesWithin(START_WAITS_MS, Promise.race([reading, isHeldUp]));
  }

  follow(watch: DeliveryWatch): void {
    const unfollow = watch.onReachable((change) => {
      if (!change.reachable) this.gate.close(change.account);
      this.#heartbeat
        .change(change)
        .catch((error: unknown) =>
          this.#needs.log.error({ err: error, ...change }, "coverage not noted"),
        );
    });
    this.#ends.push(unfollow);
    this.#loop.wake();
  }

  sourceOf(source: EntrySource, at: number): EntrySource {
    const job = this.#runner.current();
    if (job === undefined || source !== "webhook" || job.retryAt !== undefined) return source;
    return at >= job.from && at < job.to ? "replay" : source;
  }

  onAppended(entries: readonly NewEntry[]): void {
    this.#report.count(entries);
    if (entries.some(({ kind }) => kind === "replay_finished")) this.#loop.wake();
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) end();
    this.#ending.abort();
    await this.#loop.stop();
    await Promise.all(this.#reading.values());
    await this.#heartbeat.stop();
  }

  /** Reads what came since the coverage of these accounts ends. */
  async #readTrailing(accounts: readonly string[], onHeldUp: () => void): Promise<void> {
    const now = this.#needs.clock.now();
    const readings: Promise<void>[] = [];
    for (const [account, from] of await this.#ledger.ends(accounts)) {
      if (from >= now) continue;
      const gap = { account, from, to: now };
      this.gate.close(account);
      this.#report.found([gap]);
      readings.push(this.#readOnce(gap, onHeldUp));
    }
    await Promise.all(readings);
  }

  /** One step of catching up: read, then replay, one job at a time. */
  async #step(): Promise<void> {
    const accounts = this.#heartbeat.reachable();
    const gaps = await this.#ledger.gaps(accounts);
    this.#report.found(gaps);
    for (const gap of gaps) {
      for (const span of without(gap, this.#read.get(gap.account) ?? [])) {
        void this.#readOnce({ account: gap.account, ...span }, () => {});
      }
    }
    // People are answered in order: what they wrote comes before what a replay brings.
    if (this.#reading.size > 0) return;
    for (const account of accounts) this.gate.open(account);
    const ended = await this.#runner.step();
    if (ended !== undefined) await this.#take(ended, gaps);
    if (this.#runner.current() === undefined) await this.#begin(accounts);
  }

  async #take({ job, complete }: EndedJob, gaps: readonly Gap[]): Promise<void> {
    if (complete) await this.#ledger.close(gaps, job, { state: "replayed" });
    await this.#runner.forget();
  }

  async #begin(accounts: readonly string[]): Promise<void> {
    const gaps = await this.#ledger.gaps(accounts);
    const plan = planCatchup({ gaps, now: this.#needs.clock.now(), replays: true });
    for (const { reason, ...gap } of plan.beyond) await this.#settle(gap, reason);
    const [job] = plan.jobs;
    if (job !== undefined) {
      await this.#runner.begin(job, "gap");
      this.#loop.wake();
    }
    this.#report.left(await this.#ledger.gaps(accounts), accounts);
  }

  /** No replay brings this back: what could be read is all there is. */
  async #settle(gap: Gap, why: string): Promise<void> {
    const refused = this.#refused.get(gap.account) ?? {};
    const parts = Object.entries(refused).map(
      ([what, reason]) => `${what} can't be read: ${reason}`,
    );
    const state = "messages" in refused || "all" in refused ? "lost" : "backfilled";
    const reason = [why, ...parts].join("; ");
    await this.#ledger.close([gap], gap, { state, reason });
    this.#report.lost(gap, { state, reason });
  }

  #readOnce(gap: Gap, onHeldUp: () => void): Promise<void> {
    const underWay = this.#reading.get(gap.account);
    if (underWay !== undefined) return underWay;
    const reading = this.#readNow(gap, onHeldUp);
    this.#reading.set(gap.account, reading);
    return reading;
  }

  async #readNow({ account, from, to }: Gap, onHeldUp: () => void): Promise<void> {
    const { log } = this.#needs;
    const { signal } = this.#ending;
    try {
      const wanted = { account, from: from - READ_AGAIN_MS, to };
      const { fresh, refused } = await readBack(wanted, { ...this.#needs, onHeldUp, signal });
      this.#read.set(account, [...(this.#read.get(account) ?? []), { from, to }]);
      this.#refused.set(account, refused);
      if (fresh > 0) log.info({ account, events: fresh }, "missed events read back");
      this.gate.open(account);
      this.#loop.wake();
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, account }, "missed events not read back");
    } finally {
      this.#reading.delete(account);
    }
  }
}
