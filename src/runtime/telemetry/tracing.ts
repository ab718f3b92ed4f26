import type { Span } from "@opentelemetry/api";
import { type Link, trace } from "@opentelemetry/api";
import type { Append, Source } from "../source.ts";
import type { AppendResult, Entry, NewEntry } from "../store/entry.ts";
import type { NewItem } from "../store/item.ts";
import { contextOf } from "./event-trace.ts";
import { SPANS } from "./span-table.ts";
import { failSpan, type SpanSource } from "./spans.ts";

/** Input of a lane, with the fields that its span shows. */
export interface TracedInput {
  readonly kind: string;
  readonly entry: Entry;
  readonly run?: { readonly id: string };
}

/** Result of interpreting an input. */
export interface TracedOutcome {
  readonly verdicts?: { readonly judged: readonly TracedVerdict[]; readonly ruledOut: number };
  readonly items: readonly NewItem[];
}

interface TracedVerdict {
  readonly rule: { readonly id: string };
  readonly outcome: string;
  readonly reason: string;
}

/** Creates the spans of an event, from its arrival to the items that are queued for it. */
export interface Tracing {
  /** Wraps the function with which a source appends to the journal: creates a span for each delivery. */
  readonly takingIn: (source: Source["name"], append: Append) => Append;
  /** Begins spans for the events of a delivery. Returns the function to call with the result of the write. */
  readonly appending: (
    delivery: object,
    entries: readonly NewEntry[],
  ) => (results: readonly AppendResult[] | undefined, error?: unknown) => void;
  /** Begins the span of an input. The span stays open until {@link committed} is called for the input. */
  interpreting(happened: TracedInput): { readonly failed: (error: unknown) => void };
  committed(happened: TracedInput, followed: TracedOutcome, outcome: string): void;
}

/**
 * Delivery on its way to the journal. Its span is created once its first event is known, which determines the trace.
 */
interface Arrival {
  readonly source: Source["name"];
  readonly startedAt: number;
  span?: Span;
}

/** Limit of verdicts in a span: a file may have hundreds of rules that listen to messages. */
const MAX_VERDICTS = 64;

export function tracing(spans: SpanSource): Tracing {
  const arrivals = new WeakMap<object, Arrival>();
  const open = new WeakMap<TracedInput, Span>();
  return {
    takingIn: (source, append) => async (delivery, raw) => {
      const arrival: Arrival = { source, startedAt: Date.now() };
      arrivals.set(delivery, arrival);
      try {
        const fresh = await append(delivery, raw);
        arrival.span?.end();
        return fresh;
      } catch (error) {
        if (arrival.span !== undefined) failSpan(arrival.span, error);
        throw error;
      }
    },
    appending(delivery, entries) {
      const begun = appendSpans(spans, arrivals.get(delivery), entries);
      return (results, error) => {
        begun.forEach((span, place) => {
          if (results === undefined) return failSpan(span, error);
          const { outcome, seq = 0 } = results[place] ?? {};
          span.setAttribute("answerback.event.new", outcome === "new");
          span.setAttribute("answerback.event.seq", seq);
          span.end();
        });
      };
    },
    interpreting(happened) {
      // An input that is interpreted again, because another process committed first, gets a new span.
      open.get(happened)?.setAttribute("answerback.outcome", "stale").end();
      const span = inputSpan(spans, happened);
      open.set(happened, span);
      return {
        failed(error) {
          open.delete(happened);
          failSpan(span, error);
        },
      };
    },
    committed(happened, { verdicts, items }, outcome) {
      const span = open.get(happened);
      if (span === undefined) return;
      open.delete(happened);
      if (happened.kind === "event") span.setAttributes(verdictAttributes(verdicts?.judged ?? []));
      for (const { key, action } of items) {
        const attributes = { "answerback.item.key": key, "answerback.item.verb": action.type };
        span.addEvent("item queued", attributes);
      }
      span.setAttribute("answerback.outcome", outcome);
      span.end();
    },
  };
}

/**
 * Begins a span for the delivery and one for each of its events. The delivery's span belongs to the trace of the first
 * event; the spans of the other events link to it.
 */
function appendSpans(
  spans: SpanSource,
  arrival: Arrival | undefined,
  entries: readonly NewEntry[],
): readonly Span[] {
  const [first] = entries;
  if (first === undefined) return [];
  if (arrival !== undefined) {
    const { source, startedAt } = arrival;
    arrival.span = spans.begin(SPANS.deliver, {
      within: contextOf(first),
      startedAt,
      attributes: { "answerback.source": source, "answerback.events": entries.length },
    });
  }
  const delivery = arrival?.span;
  const links: readonly Link[] =
    delivery === undefined ? [] : [{ context: delivery.spanContext() }];
  return entries.map((entry) => {
    const own = contextOf(entry);
    const isFirst = entry === first && delivery !== undefined;
    return spans.begin(SPANS.append, {
      within: isFirst ? trace.setSpan(own, delivery) : own,
      links: isFirst ? [] : links,
      attributes: {
        "answerback.account": entry.account,
        "answerback.event.kind": entry.kind,
        "answerback.source": entry.source,
      },
    });
  });
}

function inputSpan(spans: SpanSource, { kind, entry, run }: TracedInput): Span {
  const { account, seq } = entry;
  const attributes = { "answerback.account": account, "answerback.event.seq": seq };
  const within = contextOf(entry);
  if (kind === "event") {
    const decided = { ...attributes, "answerback.event.kind": entry.kind };
    return spans.begin(SPANS.decide, { within, attributes: decided });
  }
  const input = { "answerback.input": kind, "answerback.run": run?.id ?? "" };
  return spans.begin(SPANS.goOn, { within, attributes: { ...attributes, ...input } });
}

function verdictAttributes(verdicts: readonly TracedVerdict[]) {
  const ran = verdicts.filter(({ outcome }) => outcome === "ran").map(({ rule }) => rule.id);
  const listed = verdicts.slice(0, MAX_VERDICTS);
  return {
    "answerback.rules.ran": ran,
    "answerback.rules.verdicts": listed.map(
      ({ rule, outcome, reason }) => `${rule.id}: ${outcome}, ${reason}`,
    ),
  };
}
