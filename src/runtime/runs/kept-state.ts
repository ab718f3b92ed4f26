import type { AccountEvent, CountReached } from "../../events/event.ts";
import { countReached } from "../../events/kinds/count.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import type { RunState } from "../../rules/run.ts";
import type { StoredRun } from "../store/run.ts";
import { ruleIdOf } from "./run-place.ts";

/** What is kept of a run between two transitions; its event is the entry that started it. */
type KeptState = Omit<RunState, "event" | "ruleId" | "revision"> & {
  /** The run was started by this, not by its entry's event itself. */
  readonly count?: CountReached;
};

/** The state of a run that was read from the store. */
export function readState(
  run: Pick<StoredRun, "body" | "owner" | "revision">,
  event: AccountEvent,
): RunState {
  const { count, ...kept }: KeptState = JSON.parse(run.body);
  const started = count === undefined ? event : reachedBy(event, count);
  return { ...kept, event: started, ruleId: ruleIdOf(run.owner), revision: run.revision };
}

/** The event that a count has come to a number by what `event` made a rule count. */
export function reachedBy(event: AccountEvent, count: CountReached): AccountEvent {
  return countReached(event, counterpartOf(event) ?? event.accountId, count);
}

/** The state of another run that the same event has started, for the same rule. */
export function readBeside({ body }: Pick<StoredRun, "body">, beside: RunState): RunState {
  const { count: _same, ...kept }: KeptState = JSON.parse(body);
  const { event, ruleId, revision } = beside;
  return { ...kept, event, ruleId, revision };
}

/** The state of a run whose request is made that is not to be made twice. */
export function withBegun({ body }: Pick<StoredRun, "body">, key: string): string {
  const kept: KeptState = JSON.parse(body);
  return JSON.stringify({ ...kept, sentOnce: key } satisfies KeptState);
}

/** What is kept of it. */
export function bodyOf({ event, ruleId, revision, ...kept }: RunState): string {
  const count = event.kind === "count" ? { count: event.count } : {};
  return JSON.stringify({ ...kept, ...count } satisfies KeptState);
}
