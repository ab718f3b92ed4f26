import {
  type HandlerRecord,
  isWait,
  type KeptWait,
  lastSettled,
  type Progress,
  type RecordEntry,
  type ThrownError,
} from "../../../bots/durable/record.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { InboundTrigger } from "../../../events/triggers.ts";

/** Stored state of a handler's run between two transitions: the body of the run. */
export interface KeptHandler {
  readonly triggers: readonly InboundTrigger[];
  /** Whether a rule has queued an answer to the same event, or is working on one. */
  readonly answered: boolean;
  /** Time in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Calls of the handler so far, with their results. */
  readonly record?: HandlerRecord;
  /** Number of timers set for the run so far, and the id of the current one. */
  readonly timers?: number;
  readonly timer?: string;
}

/** Returns the number of actions that the run has queued so far. */
export function queuedActions({ record = [] }: KeptHandler): number {
  return record.filter((entry) => entry?.kind === "act" || entry?.kind === "ask").length;
}

/** Returns how often the run has handed over to a person. */
export function handedOver({ record = [] }: KeptHandler): number {
  return record.filter((entry) => entry?.kind === "handOver").length;
}

/** Returns the time of the latest event that a wait of the handler took; an empty object without one. */
export function heardAt({ record = [] }: KeptHandler): { readonly heardAt?: number } {
  const heard = record.flatMap((entry) => (isWait(entry) && entry.event?.at) || []);
  return heard.length === 0 ? {} : { heardAt: Math.max(...heard) };
}

/**
 * Adds the progress of the handler to its stored record.
 *
 * @param itemOf Returns the key of an action's item. `ordinal`: number of the run's actions before this one.
 */
export function withProgress(
  state: KeptHandler,
  { entries = [] }: Partial<Progress>,
  itemOf: (ordinal: number) => string,
): KeptHandler {
  const record = [...(state.record ?? [])];
  let ordinal = queuedActions(state);
  for (const { place, entry } of entries.toSorted((a, b) => a.place - b.place)) {
    while (record.length < place) record.push(null);
    const before = record[place];
    // Only the run settles waits, so the stored entry of a wait may be newer than the handler's entry.
    if (isWait(before)) continue;
    // The action is queued already, so it keeps its item: the handler only adds the outcome.
    if (before?.kind === "act") record[place] = entry;
    else if (entry.kind === "ask") record[place] = { ...entry, item: itemOf(ordinal++) };
    else if (entry.kind === "act") {
      const item = itemOf(ordinal++);
      record[place] = entry.now === true ? { ...entry, item } : entry;
    } else record[place] = entry;
  }
  return { ...state, record };
}

/** Starts new waits. A new wait with invalid conditions gets an error. */
export function armed(
  state: KeptHandler,
  now: number,
  mistakeIn: (wait: KeptWait) => ThrownError | undefined,
): KeptHandler {
  return changed(state, (wait) => {
    if (wait.since !== undefined) return wait;
    const error = mistakeIn(wait);
    if (error !== undefined) return { ...wait, error };
    // A question has to be sent before the time for its answer starts.
    return { ...wait, since: now, ...(wait.kind !== "ask" && { until: now + wait.ms }) };
  });
}

/** Settles the waits whose time is up, in the order of their ends. */
export function dueAt(state: KeptHandler, now: number): KeptHandler {
  const due = openWaits(state)
    .filter(({ until = Infinity }) => until <= now)
    .sort((a, b) => (a.until ?? 0) - (b.until ?? 0));
  return settled(state, due, (wait) => ({ ...wait, at: now }));
}

/**
 * Handles a question that was sent or refused. If it was sent, the time for its answer starts; if it was refused, its
 * wait fails.
 */
export function afterAsk(
  state: KeptHandler,
  { key, refusal }: { readonly key: string; readonly refusal: ThrownError | undefined },
  now: number,
): KeptHandler {
  const refused = openWaits(state).filter(({ item }) => item === key && refusal !== undefined);
  const rest = settled(state, refused, (wait) => ({
    ...wait,
    at: now,
    ...(refusal && { error: refusal }),
  }));
  return changed(rest, (wait) =>
    wait.item === key && wait.until === undefined ? { ...wait, until: now + wait.ms } : wait,
  );
}

/** Settles a wait with the event that it took. */
export function answered(
  state: KeptHandler,
  wait: KeptWait,
  event: AccountEvent,
  now: number,
): KeptHandler {
  return settled(state, [wait], (one) => ({ ...one, event, at: now }));
}

/** Returns the waits that are not settled, in the order of the calls. */
export function openWaits({ record = [] }: KeptHandler): readonly KeptWait[] {
  return record.filter((entry): entry is KeptWait => isWait(entry) && entry.settled === undefined);
}

/** Returns the keys of the items of open questions that were not sent when the run last waited. */
export function unsentQuestions(state: KeptHandler): readonly string[] {
  return openWaits(state).flatMap(({ since, until, item }) =>
    since !== undefined && until === undefined && item !== undefined ? [item] : [],
  );
}

/** Returns the calls of a finished handler by kind and name. Their values and texts are no longer needed. */
export function outline({ record = [] }: KeptHandler): readonly string[] {
  return record.flatMap((entry) => (entry === null ? [] : [`${entry.kind} ${entry.name}`]));
}

/** Applies `change` to each wait that is not settled. A wait that gets an error by it is settled. */
function changed(state: KeptHandler, change: (wait: KeptWait) => KeptWait): KeptHandler {
  let last = lastSettled(state.record ?? []);
  const record = (state.record ?? []).map((entry) => {
    if (!isWait(entry) || entry.settled !== undefined) return entry;
    const next = change(entry);
    return next.error === undefined ? next : { ...next, settled: ++last };
  });
  return { ...state, record };
}

function settled(
  state: KeptHandler,
  waits: readonly KeptWait[],
  end: (wait: KeptWait) => KeptWait,
): KeptHandler {
  let last = lastSettled(state.record ?? []);
  const record: (RecordEntry | null)[] = [...(state.record ?? [])];
  for (const wait of waits) record[record.indexOf(wait)] = { ...end(wait), settled: ++last };
  return { ...state, record };
}
