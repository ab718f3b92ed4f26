import type { AccountEvent, CountReached } from "../../events/event.ts";
import { countReached } from "../../events/kinds/count.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import type { Json } from "../../protocol/json.ts";
import type { RunState } from "../../rules/run.ts";
import type { StoredRun } from "../store/run.ts";
import type { Interpretation } from "./lane-event.ts";
import { ruleIdOf } from "./run-place.ts";

/**
 * Stored state of a run between two transitions. The run's event is not stored here: it is read from the entry that
 * started the run.
 */
type KeptState = Omit<RunState, "event" | "ruleId" | "revision"> & {
  /** Count that started the run by reaching a number. Absent: the event of the entry started the run. */
  readonly count?: CountReached;
  /** Counts to which rules listened when a step of the run raised them, in order. Absent: there are none. */
  readonly reached?: readonly DecidedCount[];
};

/** Count that has reached a number, with the inputs that are needed to evaluate the rules for it again. */
export interface DecidedCount {
  readonly count: CountReached;
  /** Time of the decision in milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  /** Handle of the account; absent if no rule is limited to accounts by their handles. */
  readonly username?: string;
  /** Reason why rules and bots were silent, such as `escalation 12`. */
  readonly paused?: string;
  /** User state that the decision read, by key. Keys without a value are absent. */
  readonly read?: Readonly<Record<string, Json>>;
}

/** Returns the state of a stored run. */
export function readState(
  run: Pick<StoredRun, "body" | "owner" | "revision">,
  event: AccountEvent,
): RunState {
  const { count, ...rest }: KeptState = JSON.parse(run.body);
  const started = count === undefined ? event : reachedBy(event, count);
  return { ...rest, event: started, ruleId: ruleIdOf(run.owner), revision: run.revision };
}

/** Returns the event `count.reached` that a counting step causes while it processes `event`. */
export function reachedBy(event: AccountEvent, count: CountReached): AccountEvent {
  return countReached(event, counterpartOf(event) ?? event.accountId, count);
}

/** Returns the state of a stored run. Takes the event and rule from `beside`, the state of another branch of the run. */
export function readBeside({ body }: Pick<StoredRun, "body">, beside: RunState): RunState {
  const { count: _same, ...rest }: KeptState = JSON.parse(body);
  const { event, ruleId, revision } = beside;
  return { ...rest, event, ruleId, revision };
}

/** Returns the stored state of a run that has begun a request which must not be sent twice. */
export function withBegun({ body }: Pick<StoredRun, "body">, key: string): string {
  const state: KeptState = JSON.parse(body);
  return JSON.stringify({ ...state, sentOnce: key } satisfies KeptState);
}

/** Adds counts that steps of the run `id` have raised to the stored state of this run. */
export function withReached<Kind extends Interpretation>(
  interpretation: Kind,
  id: string,
  reached: readonly DecidedCount[] = [],
): Kind {
  if (reached.length === 0) return interpretation;
  const added = <Run extends Pick<StoredRun, "id" | "body">>(run: Run): Run => {
    if (run.id !== id) return run;
    const state: KeptState = JSON.parse(run.body);
    const all = { ...state, reached: [...(state.reached ?? []), ...reached] } satisfies KeptState;
    return { ...run, body: JSON.stringify(all) };
  };
  return {
    ...interpretation,
    runs: interpretation.runs.map(added),
    effects: interpretation.effects.map((effect) => ({ ...effect, run: added(effect.run) })),
  };
}

/** Returns the stored form of a run's state. */
export function bodyOf({ event, ruleId, revision, ...rest }: RunState): string {
  const count = event.kind === "count" ? { count: event.count } : {};
  return JSON.stringify({ ...rest, ...count } satisfies KeptState);
}
