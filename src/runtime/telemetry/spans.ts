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

/** Begins spans. */
export interface SpanSource {
  begin(spec: (typeof SPANS)[keyof typeof SPANS], start: SpanStart): Span;
}

export interface SpanStart {
  readonly within: Context;
  readonly attributes: Attributes;
  readonly links?: readonly Link[];
  /** Milliseconds since the epoch, by the machine's clock; now unless said. */
  readonly startedAt?: number | undefined;
}

const NAME = "answerback";

/**
 * Spans that go to the OpenTelemetry SDK of this process; undefined where none was registered by now, so
 * that nothing is done for them.
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

/** Ends a span as failed. Of the error only its name goes out: a message may quote what somebody wrote. */
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

/** A provider that nobody was registered with leads to the one that does nothing. */
function isListenedTo(): boolean {
  const provider = trace.getTracerProvider();
  const nobody = new ProxyTracerProvider().getDelegate();
  return !(provider instanceof ProxyTracerProvider && provider.getDelegate() === nobody);
}
