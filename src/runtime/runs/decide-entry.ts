import type { Action } from "../../actions/action.ts";
import type { AccountEvent } from "../../events/event.ts";
import { translate } from "../../events/translate.ts";
import type { Entry, NewItem, RunRecord } from "../store/store.ts";

/** Everything that rules and bots made of one event. */
export interface Outcome {
  /** Verdicts, rule revision and the state that was read: what `why` shows later. Plain data. */
  readonly decision: object;
  readonly runs: readonly RunRecord[];
  readonly actions: readonly QueuedAction[];
  /** Changed user state; `null` removes a value. */
  readonly state?: readonly { readonly key: string; readonly value: string | null }[];
}

/** An action and what tells it from every other of its event. */
export interface QueuedAction {
  /** Rule or bot, and step: `rule:faq-hours/0`. Stable when the event is decided again. */
  readonly step: string;
  readonly action: Action;
}

/** Decides on an event. May be called again for the same event after a crash. */
export type Decider = (event: AccountEvent, entry: Entry) => Promise<Outcome>;

/** The event that `entry` keeps, or undefined when its body no longer yields one with its key. */
export function eventOf(entry: Entry): AccountEvent | undefined {
  const arrivals = translate(JSON.parse(entry.body), entry.arrivedAt);
  return arrivals.find(({ event }) => event.key === entry.key)?.event;
}

/** An answer that could not be sent for so long would come out of the blue: it is given up. */
const ANSWER_LIFE_MS = 24 * 60 * 60_000;

/** The outbox items of `outcome`, each keyed so that deciding twice queues once. */
export function itemsOf(entry: Entry, outcome: Outcome, now: number): NewItem[] {
  return outcome.actions.map(({ step, action }) => ({
    key: `${entry.account}|${entry.key}|${step}`,
    account: entry.account,
    lane: `${entry.account}/${action.to}`,
    action,
    notBefore: now,
    expiresAt: now + ANSWER_LIFE_MS,
  }));
}
