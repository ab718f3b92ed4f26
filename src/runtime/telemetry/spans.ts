import {
  type Attributes,
  type Context,
  type Link,
  ProxyTracerProvider,
  type Span,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { SPANS } from "./span-table.ts";

export interface SpanSource {
  begin(spec: (typeof SPANS)[keyof typeof SPANS], start: SpanStart): Span;
}

export interface SpanStart {
  readonly within: Context;
  readonly attributes: Attributes;
  readonly links?: readonly Link[];
  /** Start of the span in milliseconds since the epoch, by the machine's clock; by default now. */
  readonly startedAt?: number | undefined;
}

const NAME = "answerback";

/**
 * Returns the source of spans over this process's OpenTelemetry SDK; undefined without an SDK, so that tracing costs
 * nothing.
 */
export function openSpans(): SpanSource | undefined {
  return isListenedTo() ? spanSource(trace.getTracer(NAME)) : undefined;
}

function spanSource(tracer: Tracer): SpanSource {
  return {
    begin({ name, kind }, { within, attributes, links = [], startedAt }) {
      const options = { kind, attributes, links: [...links] };
      const start = startedAt === undefined ? options : { ...options, startTime: startedAt };
      return tracer.startSpan(name, start, within);
    },
  };
}

/** Ends a span as failed. Only the error's name is exported: its message may quote a person's text. */
export function failSpan(span: Span, error: unknown): void {
  span.setAttribute("error.type", errorType(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : "unknown";
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : error.name;
}

/** Whether an SDK is registered: without an SDK, the global provider delegates to the no-op provider. */
function isListenedTo(): boolean {
  const provider = trace.getTracerProvider();
  const nobody = new ProxyTracerProvider().getDelegate();
  return !(provider instanceof ProxyTracerProvider && provider.getDelegate() === nobody);
}
