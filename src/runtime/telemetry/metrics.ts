import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { RuntimeEvent } from "../runtime-events.ts";
import { setGauges } from "./gauges.ts";
import type { MeasuredState } from "./measured-state.ts";
import { type MetricName, METRICS, type MetricSpec } from "./metric-table.ts";

/** Verdict of a rule on an event. */
export interface CountedVerdict {
  readonly outcome: string;
  readonly reason: string;
}

/** Counts events of the runtime, and exposes the metrics to Prometheus. */
export interface Metrics {
  /** Counts a finished request to the webhook. `status`: HTTP status of the response, or `aborted`. */
  readonly answered: (request: "delivery" | "challenge", status: string, seconds: number) => void;
  /** Counts a finished attempt of a request to the platform. `status`: HTTP status of the response, or `none`. */
  requested(endpoint: string, status: string, seconds: number): void;
  /** Records the delay of a bot's answer when its first request is sent. */
  answerBegun(seconds: number): void;
  /**
   * Counts the verdicts of rules on one event.
   *
   * @param ruledOut Number of further rules that can't match the event's content. Each counts as `no`, `condition`.
   */
  decided(verdicts: readonly CountedVerdict[], ruledOut: number): void;
  /** Counts a runtime event, if a metric covers its type. */
  happened(event: RuntimeEvent): void;
  /** Returns all metrics in Prometheus' text format, with the gauges set from `state`. */
  text(state: MeasuredState): Promise<string>;
  /** Media type of {@link text}. */
  readonly contentType: string;
}

/**
 * Creates metrics that start at zero, including those of the process.
 *
 * @param now Milliseconds since the epoch, by the platform's clock.
 */
export function openMetrics(now: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: MetricName) => countersOf(METRICS[name], registry);
  const histogram = (name: MetricName) => histogramsOf(METRICS[name], registry);
  const gauges = gaugesOf(registry);
  const deliveries = counter("deliveries");
  const challenges = counter("challenges");
  const events = counter("events");
  const decisions = counter("decisions");
  const verdicts = counter("verdicts");
  const runs = counter("runsEnded");
  const items = counter("itemsSettled");
  const acknowledgements = histogram("acknowledgement");
  const answers = histogram("answerDelay");
  const requests = histogram("requests");
  let unansweredSince: number | undefined;
  const unansweredSeconds = (): number =>
    unansweredSince === undefined ? 0 : Math.max(0, now() - unansweredSince) / 1_000;
  return {
    contentType: registry.contentType,
    answered(request, status, seconds) {
      if (request === "challenge") return challenges(status).inc();
      deliveries(status).inc();
      if (status === "200") acknowledgements().observe(seconds);
    },
    requested(endpoint, status, seconds) {
      requests(endpoint, status).observe(seconds);
      if (status === "none" || status.startsWith("5")) unansweredSince ??= now();
      else unansweredSince = undefined;
    },
    answerBegun: (seconds) => answers().observe(Math.max(0, seconds)),
    decided(judged, ruledOut) {
      for (const { outcome, reason } of judged) verdicts(outcome, reason).inc();
      if (ruledOut > 0) verdicts("no", "condition").inc(ruledOut);
    },
    happened({ type, data }) {
      if (type === "event-received") events(data.kind, data.source).inc();
      else if (type === "event-decided") decisions(data.outcome).inc();
      else if (type === "item-settled") items(data.dropped ? "dropped" : data.status).inc();
      else if (type === "run-settled") {
        runs(ownerKind(data.owner), data.dropped ? "dropped" : data.status).inc();
      }
    },
    text(state) {
      setGauges(gauges, state);
      gauges("platformSilent").set(unansweredSeconds());
      return registry.metrics();
    },
  };
}

/** Returns `rule` for the owner `rule:hours`: with hundreds of rules, whole owners would be too many label values. */
function ownerKind(owner: string): string {
  return owner.slice(0, owner.indexOf(":"));
}

function countersOf({ name, help, labels, fromZero = [] }: MetricSpec, registry: Registry) {
  const counter = new Counter({ name, help, labelNames: labels, registers: [registry] });
  for (const values of fromZero) counter.labels(...values).inc(0);
  return remembered((values) => counter.labels(...values));
}

function histogramsOf({ name, help, labels, buckets }: MetricSpec, registry: Registry) {
  const options = { name, help, labelNames: labels, registers: [registry] };
  const histogram = new Histogram({ ...options, buckets: [...(buckets ?? [])] });
  return remembered((values) => histogram.labels(...values));
}

function gaugesOf(registry: Registry): (name: MetricName) => Gauge {
  const gauges = new Map<MetricName, Gauge>();
  for (const key of namesOf(METRICS)) {
    const { name, help, labels, type }: MetricSpec = METRICS[key];
    if (type !== "gauge") continue;
    gauges.set(key, new Gauge({ name, help, labelNames: labels, registers: [registry] }));
  }
  return (name) => {
    const gauge = gauges.get(name);
    if (gauge === undefined) throw new Error(`${name} is not a gauge`);
    return gauge;
  };
}

/** Caches series by the values of their labels: hashing the labels at each update would take most of the time. */
function remembered<Series>(
  make: (values: string[]) => Series,
): (...values: readonly string[]) => Series {
  const byKey = new Map<string, Series>();
  return (...values) => {
    const key = values.join("\n");
    const series = byKey.get(key) ?? make([...values]);
    byKey.set(key, series);
    return series;
  };
}

function namesOf<T extends object>(table: T): readonly (keyof T)[] {
  const names: (keyof T)[] = [];
  for (const name in table) names.push(name);
  return names;
}
