import type { ExchangeHead } from "../../sandbox/control/objects.ts";
import { counted } from "../../text/counted.ts";
import type { Trace, TraceItem, TraceRun, TraceStep } from "../../insight/traces/trace.ts";
import { requestsOf } from "./requests.ts";
import type { TraceExchanges } from "./trace-exchanges.ts";

/** Participant: the person (0), the platform (1) or the bot (2). */
type Place = 0 | 1 | 2;

/** A row of the diagram: an arrow between two participants, or an event at one of them. */
export interface SequenceRow {
  readonly id: string;
  readonly from: Place;
  /** Target of the arrow; equal to `from` for an event at one participant. */
  readonly to: Place;
  readonly label: string;
  readonly second?: string;
  /** Part of the bot in which the row's event happened. */
  readonly part?: "webhook" | "rules" | "step" | "outbox";
  /** Time of the row in milliseconds since the epoch, by the platform's clock. Absent: unknown. */
  readonly at?: number;
  readonly tone: "good" | "bad" | "warn" | "info" | "idle";
  /** Number of the HTTP exchange that the row shows. */
  readonly exchange?: number;
  /** Whether the row shows a wait instead of an exchange. */
  readonly isWait?: boolean;
}

/** Returns the rows of a trace in chronological order, from the person's action to the bot's answers. */
export function sequenceOf(trace: Trace, exchanges: TraceExchanges): readonly SequenceRow[] {
  const { event, runs, items } = trace;
  const rows: SequenceRow[] =
    event.kind === "answer_by_hand"
      ? [writtenRow(trace)]
      : [deedRow(trace), ...deliveries(trace, exchanges.event), decidedRow(trace)];
  for (const run of runs) rows.push(...stepsOf(run, items));
  const requests = requestsOf(trace, exchanges);
  for (const item of items) {
    rows.push(...sendingOf(item, requests.get(item.id) ?? []));
    rows.push(...runs.flatMap((run) => run.steps.filter(endsAfter(item)).map(stepRow(run))));
  }
  return withWaits(inTime(rows));
}

/**
 * Returns the row of an answer that an operator wrote by hand. It is at the bot: person and platform take no part yet.
 */
function writtenRow({ event, times }: Trace): SequenceRow {
  const label = event.inWords;
  return { id: "written", from: 2, to: 2, label, at: times.happened, tone: "info" };
}

function deedRow({ event, times }: Trace): SequenceRow {
  return {
    id: "deed",
    from: 0,
    to: 1,
    label: event.text ?? event.inWords,
    second: event.triggers.join(", ") || event.kind,
    at: times.happened,
    tone: "info",
  };
}

function decidedRow({ times, verdicts, outcome, decision }: Trace): SequenceRow {
  const ran = verdicts.filter((one) => one.outcome === "ran").map(({ ruleId }) => ruleId);
  const isDecided = decision.undecided === undefined;
  return {
    id: "decided",
    from: 2,
    to: 2,
    label: ran.length > 0 && isDecided ? `${ran.join(", ")} ran` : outcome.reason,
    second:
      decision.undecided ??
      `${counted(verdicts.length, "rule")} ${verdicts.length === 1 ? "listens" : "listen"} to it`,
    part: "rules",
    at: times.decided ?? times.arrived,
    tone: ran.length > 0 ? "good" : "idle",
  };
}

function deliveries(trace: Trace, exchanges: readonly ExchangeHead[]): readonly SequenceRow[] {
  const { event, times } = trace;
  const activityId = activityOf(trace, exchanges);
  const attempts = exchanges.filter(
    ({ direction, for_user_id: user, activity_id: id }) =>
      direction === "delivery" && user === event.account.id && id === activityId,
  );
  if (attempts.length === 0) {
    const label = event.source === "webhook" ? "delivered" : `came by ${event.source}`;
    return [
      { id: "arrived", from: 1, to: 2, label, part: "webhook", at: times.arrived, tone: "info" },
    ];
  }
  return attempts.map(({ seq, at, attempt = 1, status, outcome = "", ms, event: name = "" }) => ({
    id: `delivery ${seq}`,
    from: 1,
    to: 2,
    label: `${name} → ${status === 0 ? outcome : status}`,
    second: `${attempt === 1 ? "first attempt" : `attempt ${attempt}`}, ${ms} ms`,
    part: "webhook",
    at: Date.parse(at),
    tone: outcome === "delivered" ? "good" : "bad",
    exchange: seq,
  }));
}

/** Returns the sandbox's activity id of the event, from its first delivery to the bot; undefined if not found. */
function activityOf(
  { event, times }: Trace,
  exchanges: readonly ExchangeHead[],
): string | null | undefined {
  return exchanges.find(
    ({ direction, for_user_id: user, at }) =>
      direction === "delivery" && user === event.account.id && Date.parse(at) >= times.happened,
  )?.activity_id;
}

function stepsOf(run: TraceRun, items: Trace["items"]): readonly SequenceRow[] {
  const { id, steps, waitsFor } = run;
  const stepRows = steps.filter((step) => !isAnswered(step)).map(stepRow(run));
  const waits = waitsFor.map(({ for: what, name, until }): SequenceRow => ({
    id: `${id} waits ${name}`,
    from: 2,
    to: 2,
    label: `waits for ${what === "time" ? "its time" : `${what} ${items.find(({ key }) => key === name)?.id ?? name}`}`,
    ...(until !== undefined && { second: `until ${new Date(until).toISOString()}` }),
    tone: "info",
    isWait: true,
  }));
  return [...stepRows, ...waits];
}

function stepRow({ id, branch }: TraceRun): (step: TraceStep) => SequenceRow {
  return (step) => {
    const { label, verb, state, error, startedAt, endedAt } = step;
    return {
      id: `${id} ${label}`,
      from: 2,
      to: 2,
      label: `${verb ?? label} ${state === "under-way" ? "is under way" : state}`,
      second: error?.message ?? (branch === undefined ? label : `${label}, branch ${branch.name}`),
      part: "step",
      ...timeOf(isAnswered(step) ? endedAt : (startedAt ?? endedAt)),
      tone: state === "ok" ? "good" : state === "failed" ? "bad" : "info",
    };
  };
}

/** Returns whether a step asked the person a question, and no longer waits for the answer. */
function isAnswered({ verb, state, items }: TraceStep): boolean {
  return verb === "ask" && state !== "under-way" && items.length > 0;
}

/** Returns a function that selects the finished `ask` steps whose last outbox item is this item. */
function endsAfter({ id }: TraceItem): (step: TraceStep) => boolean {
  return (step) => isAnswered(step) && step.items.at(-1) === id;
}

/** Returns the rows of an outbox item: each attempt as a request, then, if it was sent, its delivery to the person. */
function sendingOf(
  { id, inWords, text, status, reason, attempts, startedAt, settledAt, platformId }: TraceItem,
  requests: readonly ExchangeHead[],
): readonly SequenceRow[] {
  const isSent = status === "sent";
  const itemText = `item ${id} ${status}${attempts > 1 ? `, ${attempts} tries` : ""}${reason === undefined ? "" : `: ${reason}`}`;
  const tone = isSent ? "good" : status === "failed" || status === "expired" ? "bad" : "warn";
  const tries = requests.map((one, index): SequenceRow => {
    const isLast = index === requests.length - 1;
    return {
      id: `item ${id} request ${one.seq}`,
      from: 2,
      to: 1,
      label: `${one.method} ${shortened(one.url)} → ${one.status === 0 ? "no answer" : one.status}`,
      second: isLast ? itemText : `item ${id}, tried again later`,
      part: "outbox",
      at: Date.parse(one.at),
      tone: isLast ? tone : "bad",
      exchange: one.seq,
    };
  });
  if (tries.length === 0) {
    const label = inWords;
    const place = { from: 2, to: startedAt === undefined ? 2 : 1, part: "outbox" } as const;
    tries.push({ id: `item ${id}`, ...place, label, second: itemText, ...timeOf(startedAt), tone });
  }
  if (!isSent) return tries;
  const shown: SequenceRow = {
    id: `item ${id} shown`,
    from: 1,
    to: 0,
    label: text ?? inWords,
    ...(platformId !== undefined && { second: `its id is ${platformId}` }),
    ...timeOf(settledAt),
    tone: "good",
  };
  return [...tries, shown];
}

/** Shortens ids in a URL to their last four digits. The opened exchange shows them in full. */
function shortened(url: string): string {
  return url.replaceAll(/\d{8,}(?=\d{4})/g, "…");
}

function timeOf(at: number | undefined): { readonly at?: number } {
  return at === undefined ? {} : { at };
}

/** Rows whose times differ by less than this number of milliseconds stay in causal order, since clocks may differ. */
const NEAR_MS = 50;

/** Sorts rows by time where the times differ clearly. Other rows stay in causal order. */
function inTime(rows: readonly SequenceRow[]): readonly SequenceRow[] {
  const sorted: SequenceRow[] = [];
  for (const row of rows) {
    const { at = Infinity } = row;
    let place = sorted.length;
    while (place > 0 && (sorted[place - 1]?.at ?? 0) > at + NEAR_MS) place -= 1;
    sorted.splice(place, 0, row);
  }
  return sorted;
}

/** Minimum time between two rows, in milliseconds, for which a row shows the wait. */
const TORN_FROM_MS = 5_000;

function withWaits(rows: readonly SequenceRow[]): readonly SequenceRow[] {
  let last: number | undefined;
  return rows.flatMap((row): SequenceRow[] => {
    const { at } = row;
    if (at === undefined) return [row];
    const gap = last === undefined ? 0 : at - last;
    last = Math.max(last ?? at, at);
    if (gap < TORN_FROM_MS) return [row];
    const pause: SequenceRow = {
      id: `pause before ${row.id}`,
      from: 2,
      to: 2,
      label: String(gap),
      tone: "idle",
      isWait: true,
    };
    return [pause, row];
  });
}
