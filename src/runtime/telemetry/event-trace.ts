import { createHash } from "node:crypto";
import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
  TraceFlags,
} from "@opentelemetry/api";

/** An event of an account, as far as its trace goes by it. */
export interface TracedEvent {
  readonly account: string;
  /** Of the event. */
  readonly key: string;
}

/**
 * The trace of an event: made of its account and key, so that each process that works on it, before and
 * after a restart, goes on in the same one without anything being kept for that.
 *
 * The span that it names as their parent is never sent: the trace has many first spans.
 */
export function traceOf({ account, key }: TracedEvent): SpanContext {
  const hash = createHash("sha256").update(`${account}\n${key}`).digest("hex");
  return {
    traceId: hash.slice(0, 32),
    spanId: hash.slice(32, 48),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  };
}

/** A context in which new spans belong to the event's trace. */
export function contextOf(event: TracedEvent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, traceOf(event));
}
