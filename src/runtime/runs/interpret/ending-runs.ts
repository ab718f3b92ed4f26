import type { Item, NewItem, EndOfRun } from "../../store/item.ts";
import { isOpenRun, type RunAndEntry, type RunWrite } from "../../store/run.ts";
import { isFurtherPart } from "../../store/thread.ts";
import type { Interpretation, LaneEvent } from "../lane-event.ts";
import { trunkOf } from "../parallel/branch-owner.ts";
import { isRuleRun } from "../run-place.ts";

/** Write that ends a run. It is stored in the same transaction as the change that settles the run's last item. */
interface Ending extends EndOfRun {
  /** Has to be called once the end is stored. */
  readonly stored: () => void;
}

/** Memory of runs of rules that wait only for an item, and may end in the transaction that settles the item. */
export interface EndingRuns {
  /** Remembers the runs of a committed interpretation that wait for nothing but an item. */
  note(happened: LaneEvent, interpretation: Interpretation): void;
  /**
   * Interprets the settled item before its change is stored.
   *
   * @param item The item as its change will store it.
   * @returns The end of the run that waits for the item. `undefined` if {@link note} remembers no such run, or if more
   *   than the run's end follows from the item. The settled item then becomes an input of its lane, which continues the
   *   run.
   */
  endOf(item: Item): Promise<Ending | undefined>;
}

interface EndingRunNeeds {
  readonly interpret: (happened: LaneEvent) => Promise<Interpretation>;
  /** Whether this process may process inputs of the run's account now: the account is not paused, for example. */
  readonly mayDecide: (pair: RunAndEntry) => boolean;
  /** Called with the settled item and its interpretation once the end is stored. */
  readonly onEnded: (happened: LaneEvent, interpretation: Interpretation) => void;
}

/** Maximum number of remembered runs. It bounds memory, since each of them contains the body of its event. */
const MAX_NOTED = 2_048;
/** Real milliseconds for which a run is remembered at least. An older one is forgotten when there are too many. */
const NOTED_FOR_MS = 60_000;

/**
 * Creates the notes of runs, which are in memory only. After a restart, or above the limit, a settled item is processed
 * as an input of its lane.
 */
export function endingRuns({ interpret, mayDecide, onEnded }: EndingRunNeeds): EndingRuns {
  const noted = new Map<string, { readonly pair: RunAndEntry; readonly at: number }>();

  const makeRoom = (): void => {
    const before = performance.now() - NOTED_FOR_MS;
    for (const [key, { at }] of noted) {
      if (at > before) return;
      noted.delete(key);
    }
  };

  return {
    note({ entry }, { runs, items }) {
      for (const write of runs) {
        const item = items.find(({ key }) => key === write.waitsFor);
        if (item === undefined || write.seq !== entry.seq || !isSimple(write, item)) continue;
        if (noted.size >= MAX_NOTED) makeRoom();
        if (noted.size >= MAX_NOTED) return;
        const run = { ...write, partition: entry.partition, version: write.version + 1 };
        noted.set(item.key, { pair: { run, entry }, at: performance.now() });
      }
    },
    async endOf(item) {
      const pair = noted.get(item.key)?.pair;
      noted.delete(item.key);
      if (pair === undefined || !mayDecide(pair)) return undefined;
      const happened = { kind: "item-settled", item, ...pair } as const;
      let interpretation: Interpretation;
      try {
        interpretation = await interpret(happened);
      } catch {
        // The settled item becomes an input of its lane, where the error occurs again and is reported.
        return undefined;
      }
      const [run] = interpretation.runs;
      if (run?.id !== pair.run.id || !isOnlyEnd(run, interpretation)) return undefined;
      const { cancelled } = interpretation;
      return { run, cancelled, stored: () => onEnded(happened, interpretation) };
    },
  };
}

/**
 * Whether nothing but the item can continue the run: the run is no branch, has no slot and takes no events. Items that
 * are later parts of a text are excluded, too.
 */
function isSimple(run: RunWrite, { action, lane }: NewItem): boolean {
  const isAlone = run.slot === undefined && run.listens !== true && trunkOf(run.id) === undefined;
  return isAlone && run.lane === lane && isRuleRun(run) && !isFurtherPart(action);
}

/** Whether an interpretation contains nothing but the end of the run and the cancellation of the run's timers. */
function isOnlyEnd(run: RunWrite, { runs, clearsLane, ...further }: Interpretation): boolean {
  const { timers, withdrawn, slots, sources, state, items, escalations, effects } = further;
  const others = [timers, withdrawn, slots, sources, state, items, escalations, effects];
  return (
    runs.length === 1 &&
    !isOpenRun(run) &&
    clearsLane === undefined &&
    others.every(({ length }) => length === 0)
  );
}
