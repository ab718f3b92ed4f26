import type { DecidedCondition } from "../words/decided-conditions.ts";
import { valueInWords } from "../words/clause.ts";
import type { Trace, TraceItem, TraceRun, TraceVerdict } from "./trace.ts";
import { Veil } from "./veil.ts";

/**
 * A trace that can be shared, because it has no personal data. Its texts are fixed sentences, parts of the rule files
 * and pseudonyms. Texts of people and of the bot are included only if the options ask for them.
 */
export interface SharedTrace {
  readonly seq: number;
  readonly headline: string;
  readonly word: Trace["outcome"]["word"];
  /** Steps in chronological order; times are milliseconds since the epoch. */
  readonly course: readonly { readonly at: number; readonly what: string }[];
  /** Ids of the rules that ran when the event was decided; undefined if the rules have not changed since. */
  readonly ranThen: readonly string[] | undefined;
  /** Whether the event is not decided, so that no rule has run yet: `ran` then means that the rule would run. */
  readonly isUndecided: boolean;
  readonly verdicts: readonly SharedVerdict[];
  readonly runs: readonly SharedRun[];
  readonly items: readonly string[];
}

/** Verdict of a rule, with the clause that failed. */
export interface SharedVerdict {
  readonly ruleId: string;
  readonly outcome: TraceVerdict["outcome"];
  readonly reason: string;
  /** Place in the rule file, such as `rules/faq.yaml:3:5`. */
  readonly place: string;
  readonly wanted?: string;
  readonly actual?: string;
  /** Line of the rule file to show if there is no failed clause. */
  readonly line?: string;
  readonly until?: number;
}

export interface SharedRun {
  readonly owner: string;
  readonly status: string;
  /** Steps in words, such as `actions[0] reply_dm ok (rules/faq.yaml:7)`. */
  readonly steps: readonly string[];
}

export interface SharingOptions {
  /** Whether to include texts of people and of the bot. Handles, names, addresses and numbers in them are replaced. */
  readonly texts?: boolean;
}

/** Copies the fields of a trace that may be shared. Every other field is left out. */
export function traceToShare(trace: Trace, { texts = false }: SharingOptions = {}): SharedTrace {
  const { event, outcome, decision, verdicts, runs, items } = trace;
  const veil = new Veil([event.person ?? {}, event.account], trace.raw);
  const show = (value: unknown): string =>
    texts ? veil.text(typeof value === "string" ? value : valueInWords(value)) : sizeOf(value);
  const handle = event.person?.username ?? event.person?.id;
  const from = handle === undefined ? "" : ` from @${veil.person(handle)}`;
  const text = event.text === undefined ? "" : `: ${show(event.text)}`;
  return {
    seq: event.seq,
    headline: `${event.triggers[0] ?? event.kind}${from}${text}`,
    word: outcome.word,
    course: courseOf(trace, show),
    ranThen: decision.rulesChanged ? decision.ran : undefined,
    isUndecided: decision.undecided !== undefined,
    verdicts: verdicts.map((verdict) => sharedVerdict(verdict, show)),
    runs: runs.map((run) => sharedRun(run, show)),
    items: items.map((item) => {
      const tries = item.attempts > 1 ? ` after ${item.attempts} tries` : "";
      return `${inWords(item, show)}: ${item.status}${tries}`;
    }),
  };
}

type Show = (value: unknown) => string;

function courseOf({ event, times, items, runs }: Trace, show: Show): SharedTrace["course"] {
  const { happened, arrived, decided } = times;
  const sent = items.flatMap((item) => [
    ...(item.startedAt === undefined
      ? []
      : [{ at: item.startedAt, what: `request: ${inWords(item, show)}` }]),
    ...(item.settledAt === undefined
      ? []
      : [{ at: item.settledAt, what: `${item.status}: ${inWords(item, show)}` }]),
  ]);
  const waits = runs.flatMap(({ waitsFor, owner }) =>
    waitsFor.flatMap(({ until, for: awaited }) =>
      until === undefined ? [] : [{ at: until, what: `${owner} waits for: ${awaited}` }],
    ),
  );
  return [
    { at: happened, what: `sent: ${event.triggers.join(", ") || event.kind}` },
    { at: arrived, what: `received by ${event.source}${event.replayed ? ", late" : ""}` },
    ...(decided === undefined ? [] : [{ at: decided, what: "rules evaluated" }]),
    ...[...sent, ...waits].sort((a, b) => a.at - b.at),
  ];
}

function sharedVerdict(
  { ruleId, outcome, reason, clause, at, until }: TraceVerdict,
  show: Show,
): SharedVerdict {
  const place = `${at.file}:${at.line}:${at.column}`;
  const shared = { ruleId, outcome, reason, place, ...(until !== undefined && { until }) };
  if (outcome === "ran") return shared;
  if (clause === undefined) return { ...shared, line: at.sourceLine?.trim() ?? "" };
  // with `group-already-matched`, the value is the id of another rule, which is no personal data
  const isRule = reason === "group-already-matched" && typeof clause.actual === "string";
  const actual = isRule ? clause.actual : show(clause.error ?? clause.actual);
  return { ...shared, wanted: clause.wanted, actual };
}

function sharedRun({ owner, status, steps, conditions }: TraceRun, show: Show): SharedRun {
  const done = steps.map(({ label, verb, state, error, result, at }) => {
    const place = at === undefined ? "" : ` (${at.file}:${at.line})`;
    const shownResult = result === undefined ? "" : ` ${show(result)}`;
    const failure = error === undefined ? shownResult : ` ${error.code}: ${show(error.message)}`;
    return `${label} ${verb ?? ""} ${state}${place}${failure}`;
  });
  return {
    owner,
    status,
    steps: [...done, ...conditions.map((one) => sharedCondition(one, show))],
  };
}

/**
 * Describes a condition and the values that it read. Values that may not be shared are replaced by their kind and size.
 */
function sharedCondition({ label, source, holds, read }: DecidedCondition, show: Show): string {
  const values = Object.entries(read).map(([path, value]) => `${path} = ${show(value)}`);
  const shown = values.length === 0 ? "" : ` (${values.join(", ")})`;
  return `${label} if ${source ?? ""}: ${holds}${shown}`;
}

function inWords({ type, text }: TraceItem, show: Show): string {
  return text === undefined ? type : `${type} ${show(text)}`;
}

/** Kind and size of a value, without the value. */
function sizeOf(value: unknown): string {
  if (typeof value === "string") return `[${value.length} characters]`;
  if (Array.isArray(value)) return `[list of ${value.length}]`;
  if (value === undefined || value === null) return "nothing";
  return `[${typeof value}]`;
}
