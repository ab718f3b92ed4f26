import { createHash } from "node:crypto";
import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
  TraceFlags,
} from "@opentelemetry/api";

/** Event of an account, with the fields that identify its trace. */
export interface TracedEvent {
  readonly account: string;
  /** Key of the event. */
  readonly key: string;
}

/**
 * Derives an event's trace from its account and key. Each process that works on the event, before or after a restart,
 * continues the same trace without stored state.
 *
 * The parent span that the returned context names is never exported, so the trace has several root spans.
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

/** Creates an OpenTelemetry context in which new spans belong to the event's trace. */
export function contextOf(event: TracedEvent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, traceOf(event));
}
