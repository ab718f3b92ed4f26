import { SpanKind } from "@opentelemetry/api";
import { METRICS, type MetricSpec } from "../../../src/runtime/telemetry/metric-table.ts";
import { SPANS, type SpanSpec } from "../../../src/runtime/telemetry/span-table.ts";
import { codes } from "../../../src/insight/reference/written.ts";
import { table } from "../markdown.ts";

/** Renders every metric of a runtime. */
export function metricsTable(): string {
  const rows = Object.values(METRICS).map(({ name, type, labels, help }: MetricSpec) => {
    return [`\`${name}\``, type, codes(labels), help];
  });
  return table(["Metric", "Type", "Labels", "Meaning"], rows);
}

/** Renders every span of an event. */
export function spansTable(): string {
  const rows = Object.values(SPANS).map(({ name, kind, about, attributes }: SpanSpec) => {
    const words = attributes.map((attribute) => attribute.replace(/^answerback\./, ""));
    return [`\`${name}\``, SpanKind[kind].toLowerCase(), codes(words), about];
  });
  return table(["Span", "Kind", "Attributes (`answerback.…`)", "Meaning"], rows);
}
