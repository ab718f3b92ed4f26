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

/** What is kept of a handler's run between two transitions, as its body. */
export interface KeptHandler {
  readonly triggers: readonly InboundTrigger[];
  /** A rule has queued an answer to this event or is at work on one. */
  readonly answered: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** What the handler has got so far. */
  readonly record?: HandlerRecord;
  /** How often a timer was set for it, and the one that is. */
  readonly timers?: number;
  readonly timer?: string;
}

/** How often actions of the run were queued: the number of the next one. */
export function queuedActions({ record = [] }: KeptHandler): number {
  return record.filter((entry) => entry?.kind === "act" || entry?.kind === "ask").length;
}

/** How often the run has handed over to a person. */
export function handedOver({ record = [] }: KeptHandler): number {
  return record.filter((entry) => entry?.kind === "handOver").length;
}

/** When the person last said what a handler waited for; nothing where nobody did. */
export function heardAt({ record = [] }: KeptHandler): { readonly heardAt?: number } {
  const heard = record.flatMap((entry) => (isWait(entry) && entry.event?.at) || []);
  return heard.length === 0 ? {} : { heardAt: Math.max(...heard) };
}

/**
 * The run with what its handler has come to since.
 *
 * @param itemOf Key of the item of an action, by its number.
 */
export function withProgress(
  kept: KeptHandler,
  { entries = [] }: Partial<Progress>,
  itemOf: (ordinal: number) => string,
): KeptHandler {
  const record = [...(kept.record ?? [])];
  let ordinal = queuedActions(kept);
  for (const { place, entry } of entries.toSorted((a, b) => a.place - b.place)) {
    while (record.length < place) record.push(null);
    const before = record[place];
    // what has become of a wait is known here only
    if (isWait(before)) continue;
    // queued before: what has become of it is new
    if (before?.kind === "act") record[place] = entry;
    else if (entry.kind === "ask") record[place] = { ...entry, item: itemOf(ordinal++) };
    else if (entry.kind === "act") {
      const item = itemOf(ordinal++);
      record[place] = entry.now === true ? { ...entry, item } : entry;
    } else record[place] = entry;
  }
  return { ...kept, record };
}

/** What its waits are by now: those that are new begin. */
export function armed(
  kept: KeptHandler,
  now: number,
  mistakeIn: (wait: KeptWait) => ThrownError | undefined,
): KeptHandler {
  return changed(kept, (wait) => {
    if (wait.since === undefined) {
      const error = mistakeIn(wait);
      if (error !== undefined) return { ...wait, error };
      // a question has to be sent first
      return { ...wait, since: now, ...(wait.kind !== "ask" && { until: now + wait.ms }) };
    }
    return wait.until === undefined ? { ...wait, until: now + wait.ms } : wait;
  });
}

/** The time has come for some of its waits. */
export function dueAt(kept: KeptHandler, now: number): KeptHandler {
  const due = openWaits(kept)
    .filter(({ until = Infinity }) => until <= now)
    .sort((a, b) => (a.until ?? 0) - (b.until ?? 0));
  return settled(kept, due, (wait) => ({ ...wait, at: now }));
}

/** A question was sent, or never will be; its answer's time begins. */
export function asked(
  kept: KeptHandler,
  { key, refusal }: { readonly key: string; readonly refusal: ThrownError | undefined },
  now: number,
): KeptHandler {
  const refused = openWaits(kept).filter(({ item }) => item === key && refusal !== undefined);
  const rest = settled(kept, refused, (wait) => ({
    ...wait,
    at: now,
    ...(refusal && { error: refusal }),
  }));
  return changed(rest, (wait) =>
    wait.until === undefined ? { ...wait, until: now + wait.ms } : wait,
  );
}

/** An event came for one of its waits. */
export function answered(
  kept: KeptHandler,
  wait: KeptWait,
  event: AccountEvent,
  now: number,
): KeptHandler {
  return settled(kept, [wait], (one) => ({ ...one, event, at: now }));
}

/** What it waits for, in the order of the calls. */
export function openWaits({ record = [] }: KeptHandler): readonly KeptWait[] {
  return record.filter((entry): entry is KeptWait => isWait(entry) && entry.settled === undefined);
}

/** What the handler of a run that is over has done: values and texts are needed by nobody any more. */
export function outline({ record = [] }: KeptHandler): readonly string[] {
  return record.flatMap((entry) => (entry === null ? [] : [`${entry.kind} ${entry.name}`]));
}

/** Replaces waits that are open; what has an error by then has ended. */
function changed(kept: KeptHandler, change: (wait: KeptWait) => KeptWait): KeptHandler {
  let last = lastSettled(kept.record ?? []);
  const record = (kept.record ?? []).map((entry) => {
    if (!isWait(entry) || entry.settled !== undefined) return entry;
    const next = change(entry);
    return next.error === undefined ? next : { ...next, settled: ++last };
  });
  return { ...kept, record };
}

function settled(
  kept: KeptHandler,
  waits: readonly KeptWait[],
  end: (wait: KeptWait) => KeptWait,
): KeptHandler {
  let last = lastSettled(kept.record ?? []);
  const record: (RecordEntry | null)[] = [...(kept.record ?? [])];
  for (const wait of waits) record[record.indexOf(wait)] = { ...end(wait), settled: ++last };
  return { ...kept, record };
}
