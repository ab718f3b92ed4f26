import { sentElsewhere } from "../runtime/continuity/sent-elsewhere.ts";
import { HOLD_MS } from "../runtime/outbox/plan.ts";
import type { Answering } from "./answer.ts";
import type { FollowedInstances } from "./answering/follow-instances.ts";
import type { HostedBot } from "./parts.ts";
import type { KeepAs } from "./receive.ts";
import { epochIn, type LeadersSeat, type Term } from "./roles/leaders-seat.ts";
import { fencedStore } from "./roles/leases-fence.ts";
import type { Leading } from "./roles/leading.ts";
import type { Colleagues } from "./roles/presence.ts";
import { openTerm } from "./roles/term.ts";
import type { Lease } from "../runtime/store/lease.ts";
import type { Trigger } from "../events/triggers.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import { allSteps } from "../rules/run.ts";

/** Parts of a bot that the leader's work needs. */
export interface LeadNeeds extends HostedBot {
  readonly seat: LeadersSeat;
  readonly answering: Answering;
  readonly link: Leading["link"];
  readonly keepAs: KeepAs;
  readonly colleagues: Colleagues;
  readonly instances: FollowedInstances;
  /** Called once the events missed before the start have been read, or need not be waited for. */
  readonly onMissedRead: () => void;
}

/** Does the leader's work (link, catch-up, schedules) in each term: a period in which this process holds the lease. */
export class Leadership {
  readonly #needs: LeadNeeds;
  /** Epoch of the leader's lease that this process holds; undefined while it does not hold the lease. */
  #wanted: number | undefined;
  /** Epoch of the lease under which the current term began; undefined without a term. */
  #current: number | undefined;
  #isOver = false;
  #work: Promise<void> = Promise.resolve();
  readonly #stops: (() => void)[] = [];

  constructor(needs: LeadNeeds) {
    this.#needs = needs;
  }

  /** Reads the missed events if this process leads from its start on. */
  async prepare(): Promise<void> {
    const { seat, answering, state } = this.#needs;
    // The lease may be lost before `begin`, while missed events are being read.
    this.#stops.push(answering.leases.onLost((lost) => this.#lost(lost)));
    this.#wanted = seat.epoch();
    if (this.#wanted === undefined) state.intake.ready();
    else await this.#open(this.#wanted).prepare();
  }

  /** Starts to lead now if this process holds the lease, and later whenever it acquires the lease. */
  async begin(): Promise<void> {
    const { seat, answering } = this.#needs;
    await seat.term?.begin();
    this.#stops.push(
      answering.leases.onTaken((newLeases) => {
        const epoch = epochIn(newLeases);
        if (epoch === undefined) return undefined;
        this.#wanted = epoch;
        return this.#inTurn();
      }),
    );
  }

  /** Ends the running term, and prevents further terms. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#wanted = undefined;
    for (const stop of this.#stops) stop();
    await this.#needs.seat.term?.stop();
    await this.#inTurn();
  }

  async #lost(lost: readonly Lease[]): Promise<void> {
    const { seat, log } = this.#needs;
    const epoch = epochIn(lost);
    if (epoch === undefined) return;
    if (this.#wanted === epoch) this.#wanted = undefined;
    log.warn({ epoch }, "another process is the leader now");
    // The term's current work is aborted at once. Its clean-up runs in the queue of term changes.
    if (this.#current === epoch) await seat.term?.stop();
    await this.#inTurn();
  }

  /** Queues a change of the term: a term ends before the next term begins. */
  #inTurn(): Promise<void> {
    const done = this.#work.then(() => this.#settle());
    this.#work = done.catch(() => {});
    return done;
  }

  async #settle(): Promise<void> {
    if (this.#current === this.#wanted) return;
    await this.#end();
    const epoch = this.#wanted;
    if (epoch === undefined || this.#isOver) return;
    this.#needs.log.info({ epoch }, "this process is the leader now");
    try {
      const term = this.#open(epoch);
      await term.prepare();
      await term.begin();
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  #open(epoch: number): Term {
    const { seat, answering, store, clock, log, rules, link, state, instances } = this.#needs;
    const { isShared } = store;
    const term = openTerm({
      ...this.#needs,
      store: isShared ? fencedStore(store, seat.leads) : store,
      isShared,
      triggers: () => listenedTo(rules.ruleset, answering.bots.bots),
      readiness: state.intake,
      onArrived: (account) => link.arrived({ kind: "delivery", account }),
      onFound: sentElsewhere({ store, clock, log, holdMs: HOLD_MS }),
      onOtherWebhook: instances.onOtherWebhook,
    });
    seat.term = term;
    this.#current = epoch;
    return term;
  }

  async #end(): Promise<void> {
    const { seat, state } = this.#needs;
    if (seat.term === undefined) return;
    await seat.term.stop();
    seat.term = undefined;
    this.#current = undefined;
    state.intake.ready();
  }
}

/** Returns the triggers of all rules and bots, including the triggers for which steps wait. */
function listenedTo(
  { rules }: Ruleset,
  bots: readonly { readonly triggers: readonly Trigger[] }[],
): ReadonlySet<Trigger> {
  const ofRules = rules
    .filter(({ enabled, stage }) => enabled && stage !== "draft")
    .flatMap(({ triggers, actions, onError }) => [
      ...triggers.map(({ trigger }) => trigger),
      ...allSteps([...actions, ...onError]).flatMap(({ listens }) => listens?.trigger ?? []),
    ]);
  return new Set([...ofRules, ...bots.flatMap((bot) => bot.triggers)]);
}
