import type { Log } from "../../runtime/log.ts";
import type { HeldLeases } from "../../runtime/loop/leases.ts";
import type { Lease } from "../../runtime/store/lease.ts";
import type { Term } from "./term.ts";

/** Whoever holds the lease of this partition does what is to be done once for all processes. */
export const LEADERS_PARTITION = 0;

export interface LeadershipNeeds {
  readonly leases: Pick<HeldLeases, "held" | "onTaken" | "onLost">;
  readonly open: () => Term;
  /** This process leads no longer, or does not yet. */
  readonly onIdle: () => void;
  readonly log: Log;
}

/** Leads while this process holds the lease for it, and no longer; any number of times. */
export interface Leadership {
  /** What is done just now; undefined while another leads, or nobody. */
  term(): Term | undefined;
  /** Whether the lease holds at this moment. */
  leads(): boolean;
  /** Reads what was missed, where this process leads from its start on. */
  prepare(): Promise<void>;
  /** Begins to lead where this process holds the lease, and from now on whenever it takes it. */
  begin(): Promise<void>;
  /** Leads no longer. */
  stop(): Promise<void>;
}

/** A leadership that has not begun. */
export function leadershipOf({ leases, open, onIdle, log }: LeadershipNeeds): Leadership {
  let current: { readonly epoch: number; readonly term: Term } | undefined;
  /** The epoch in which the lease is held. */
  let wanted: number | undefined;
  let isOver = false;
  let work: Promise<void> = Promise.resolve();
  const stops: (() => void)[] = [];
  const of = (all: readonly Lease[]): number | undefined =>
    all.find(({ partition }) => partition === LEADERS_PARTITION)?.epoch;

  const opened = (epoch: number): Term => {
    const term = open();
    current = { epoch, term };
    return term;
  };
  const end = async (): Promise<void> => {
    if (current === undefined) return;
    await current.term.stop();
    current = undefined;
    onIdle();
  };
  const settle = async (): Promise<void> => {
    if (current?.epoch === wanted) return;
    await end();
    const epoch = wanted;
    if (epoch === undefined || isOver) return;
    log.info({ epoch }, "this process leads from now on");
    try {
      const term = opened(epoch);
      await term.prepare();
      await term.begin();
    } catch (error) {
      await end();
      throw error;
    }
  };
  /** One thing at a time: a term ends before the next one begins. */
  const inTurn = (): Promise<void> => {
    const done = work.then(settle);
    work = done.catch(() => {});
    return done;
  };
  return {
    term: () => current?.term,
    leads: () => of(leases.held()) !== undefined,
    async prepare() {
      wanted = of(leases.held());
      if (wanted === undefined) onIdle();
      else await opened(wanted).prepare();
    },
    async begin() {
      await current?.term.begin();
      stops.push(
        leases.onTaken((taken) => {
          const epoch = of(taken);
          if (epoch === undefined) return undefined;
          wanted = epoch;
          return inTurn();
        }),
        leases.onLost(async (lost) => {
          const epoch = of(lost);
          if (epoch === undefined) return;
          if (wanted === epoch) wanted = undefined;
          log.warn({ epoch }, "another process leads from now on");
          // What is under way is given up at once; the rest waits for its turn.
          if (current?.epoch === epoch) await current.term.stop();
          await inTurn();
        }),
      );
    },
    async stop() {
      isOver = true;
      wanted = undefined;
      for (const stop of stops) stop();
      await current?.term.stop();
      await inTurn();
    },
  };
}
