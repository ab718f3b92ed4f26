import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import type { CoverageChange } from "../store/coverage.ts";
import type { DeliveryChange } from "./delivery-watch.ts";
import { FOREVER, type Ledger } from "./ledger.ts";
import type { Gap } from "./plan.ts";

export interface HeartbeatNeeds {
  readonly ledger: Pick<Ledger, "cover" | "takeBack">;
  readonly clock: Clock;
  /** Real milliseconds that go on while the clock is moved: `performance.now()`. */
  readonly monotonic: () => number;
  readonly log: Log;
  /** Called when the ledger may have got a gap. */
  readonly onGap: () => void;
}

/** Notes, as time goes by, that deliveries come. */
export interface Heartbeat {
  /** Deliveries for an account begin to come, or come no longer. */
  change(change: DeliveryChange): Promise<void>;
  /** Deliveries of an account for which they come went missing in this stretch all the same. */
  missed(gap: Gap): Promise<void>;
  /** Ids of the accounts whose deliveries come. */
  reachable(): readonly string[];
  /** Notes what has come by now; called every {@link BEAT_EVERY_MS} on its own. */
  beat(): Promise<void>;
  stop(): Promise<void>;
}

/** Real milliseconds between two notes. */
export const BEAT_EVERY_MS = 15_000;

/** A delivery may be on its way for so long: what is younger is not noted yet. */
export const SETTLED_AFTER_MS = 30_000;

/** A process that was silent for longer took nothing in meanwhile: it was stopped, or the machine slept. */
const LONGEST_SILENCE_MS = 60_000;

/** Starts to note what comes; one small write for all accounts together. */
export function startHeartbeat(needs: HeartbeatNeeds): Heartbeat {
  return new Beating(needs);
}

class Beating implements Heartbeat {
  readonly #needs: HeartbeatNeeds;
  readonly #unfollow: () => void;
  readonly #loop;
  /** Up to when each reachable account is covered. */
  readonly #covered = new Map<string, number>();
  #last: { readonly real: number; readonly now: number };
  #jumped = false;
  /** One write after the other: a change must not overtake a beat. */
  #work: Promise<void> = Promise.resolve();

  constructor(needs: HeartbeatNeeds) {
    this.#needs = needs;
    this.#last = { real: needs.monotonic(), now: needs.clock.now() };
    this.#unfollow = needs.clock.onJump(() => (this.#jumped = true));
    this.#loop = pollLoop({
      poll: () => this.beat(),
      everyMs: BEAT_EVERY_MS,
      onError: (error) => needs.log.error({ err: error }, "coverage not noted"),
    });
  }

  reachable(): readonly string[] {
    return [...this.#covered.keys()];
  }

  change(change: DeliveryChange): Promise<void> {
    return this.#after(() => (change.reachable ? this.#up(change) : this.#down(change)));
  }

  missed(gap: Gap): Promise<void> {
    return this.#after(() => this.#missed(gap));
  }

  beat(): Promise<void> {
    return this.#after(() => this.#beat());
  }

  async stop(): Promise<void> {
    this.#unfollow();
    await this.#loop.stop();
    await this.beat();
  }

  #after(what: () => Promise<void>): Promise<void> {
    const done = this.#work.then(what);
    this.#work = done.catch(() => {});
    return done;
  }

  async #up({ account, since }: DeliveryChange): Promise<void> {
    if (this.#covered.has(account)) return;
    const from = since;
    await this.#needs.ledger.cover([
      // An account that was unlinked is expected again.
      { account, from, to: FOREVER, state: "open" },
      { account, from, to: from + 1, state: "delivered" },
    ]);
    this.#covered.set(account, from + 1);
    this.#needs.onGap();
  }

  async #down({ account, since }: DeliveryChange): Promise<void> {
    this.#covered.delete(account);
    await this.#needs.ledger.takeBack(account, since);
  }

  async #missed({ account, from, to }: Gap): Promise<void> {
    const { ledger, onGap } = this.#needs;
    const covered = this.#covered.get(account);
    if (covered === undefined) return;
    if (covered < from)
      await ledger.cover([{ account, from: covered, to: from, state: "delivered" }]);
    await ledger.takeBack(account, from);
    // A gap lies between two covered stretches: this is the beginning of the next one.
    await ledger.cover([{ account, from: to, to: to + 1, state: "delivered" }]);
    this.#covered.set(account, Math.max(covered, to + 1));
    onGap();
  }

  async #beat(): Promise<void> {
    const { clock, monotonic, ledger, log, onGap } = this.#needs;
    const [now, real] = [clock.now(), monotonic()];
    const silence = Math.max(real - this.#last.real, this.#jumped ? 0 : now - this.#last.now);
    this.#last = { now, real };
    this.#jumped = false;
    const silent = silence > LONGEST_SILENCE_MS;
    const changes: CoverageChange[] = [];
    for (const [account, covered] of this.#covered) {
      const to = silent ? now + 1 : now - SETTLED_AFTER_MS;
      const from = silent ? now : covered;
      if (from < to) changes.push({ account, from, to, state: "delivered" });
      // A clock that was set back comes by the same time again.
      else if (covered > now + LONGEST_SILENCE_MS) this.#covered.set(account, now);
    }
    await ledger.cover(changes);
    for (const { account, to } of changes) this.#covered.set(account, to);
    if (!silent || changes.length === 0) return;
    log.warn({ silentMs: Math.round(silence) }, "this process was stopped for a while");
    onGap();
  }
}
