import type { HandlerSupport } from "../../bots/durable/record.ts";
import type {
  Handling,
  HandlerOutcome,
  ModuleCall,
  ModuleCallOutcome,
} from "../../bots/messages.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { RuntimeEventFeed } from "../runtime-events.ts";
import type { Append, Source } from "../source.ts";
import type { ReadPort } from "../store/store.ts";
import { contextOf } from "./event-trace.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { queuedAnswers } from "./queued-answers.ts";
import { sendWatch } from "./send-watch.ts";
import { SPANS } from "./span-table.ts";
import { failSpan, openSpans, type SpanSource } from "./spans.ts";
import { type TracedInput, type TracedOutcome, type Tracing, tracing } from "./tracing.ts";

export interface TelemetryNeeds {
  /** Whether to collect metrics. */
  readonly measured: boolean;
  readonly events: RuntimeEventFeed;
  readonly store: Pick<ReadPort, "journal">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Target of the spans; by default the OpenTelemetry SDK of this process, if it has one. */
  readonly spans?: SpanSource | undefined;
}

/** Runs handlers of bots and targets of `call` steps, as the bots' worker thread does. */
interface Performer {
  handle(handling: Handling, support: HandlerSupport): Promise<HandlerOutcome>;
  call(step: ModuleCall, signal?: AbortSignal): Promise<ModuleCallOutcome>;
}

/**
 * Measures and traces the processing of events: wraps its stages (append, decide, perform, send) without changing their
 * behaviour. With metrics and tracing off, the stages are returned unchanged.
 */
export interface Telemetry {
  readonly metrics: Metrics | undefined;
  /** Wraps the function with which a source appends to the journal. */
  takingIn(source: Source["name"], append: Append): Append;
  /** Called with the events of a delivery before they are written to disk. */
  readonly appending: Tracing["appending"] | undefined;
  /** Wraps the function that decides on the inputs of lanes: events, settled items and due timers. */
  interpreting<Input extends TracedInput, Result>(
    interpret: (happened: Input) => Promise<Result>,
  ): (happened: Input) => Promise<Result>;
  /** Records a transition that was stored. */
  committed(happened: TracedInput, followed: TracedOutcome, outcome: string): void;
  /** Wraps the part that performs effects: handlers of bots and targets of `call` steps. */
  performing(performer: Performer): Performer;
  /** Wraps each request that sends an item of the outbox. */
  readonly sending: ReturnType<typeof sendWatch> | undefined;
  /** Called after each attempt of a request to the platform. */
  readonly onAttempt: ((tried: TriedRequest) => void) | undefined;
  /** Called after each request to the webhook. */
  readonly onAnswered: Metrics["answered"] | undefined;
  stop(): void;
}

/** Attempt of a request to the platform. */
interface TriedRequest {
  readonly endpoint: string;
  /** HTTP status of the response; absent without a response. */
  readonly status?: number;
  readonly ms: number;
}

/** Opens metrics if `measured` is set, and tracing if this process has an OpenTelemetry SDK. */
export function openTelemetry(needs: TelemetryNeeds): Telemetry {
  const metrics = needs.measured ? openMetrics(() => needs.clock.now()) : undefined;
  const spans = needs.spans ?? openSpans();
  const trace = spans === undefined ? undefined : tracing(spans);
  const answers = queuedAnswers();
  const isOff = metrics === undefined && spans === undefined;
  const unsubscribe =
    metrics === undefined ? () => {} : needs.events.subscribe((event) => metrics.happened(event));
  return {
    metrics,
    takingIn: (source, append) => trace?.takingIn(source, append) ?? append,
    appending: trace?.appending,
    interpreting: (interpret) => (trace === undefined ? interpret : inSpans(trace, interpret)),
    committed(happened, followed, outcome) {
      if (isOff) return;
      const { kind, entry } = happened;
      const { key, arrivedAt } = entry;
      if (followed.verdicts) metrics?.decided(followed.verdicts.judged, followed.verdicts.ruledOut);
      if (followed.items.length > 0) {
        answers.note(followed.items, kind === "event" ? { key, arrivedAt } : { key });
      }
      trace?.committed(happened, followed, outcome);
    },
    performing: (performer) =>
      spans === undefined ? performer : tracedPerformer(spans, performer),
    sending: isOff ? undefined : sendWatch({ ...needs, metrics, spans, answers }),
    onAttempt:
      metrics &&
      (({ endpoint, status, ms }) =>
        metrics.requested(endpoint, status === undefined ? "none" : String(status), ms / 1_000)),
    onAnswered: metrics?.answered,
    stop: unsubscribe,
  };
}

function inSpans<Input extends TracedInput, Result>(
  trace: Tracing,
  interpret: (happened: Input) => Promise<Result>,
): (happened: Input) => Promise<Result> {
  return async (happened) => {
    const { failed } = trace.interpreting(happened);
    try {
      return await interpret(happened);
    } catch (error) {
      failed(error);
      throw error;
    }
  };
}

function tracedPerformer(spans: SpanSource, performer: Performer): Performer {
  const around = async <T extends object>(
    { accountId: account, key }: Handling["event"],
    name: string,
    work: () => Promise<T>,
  ): Promise<T> => {
    const attributes = { "answerback.account": account, "answerback.bot": name };
    const span = spans.begin(SPANS.handle, { within: contextOf({ account, key }), attributes });
    try {
      const outcome = await work();
      const failed = "error" in outcome && outcome.error !== undefined;
      if (failed) failSpan(span, "bot");
      else span.end();
      return outcome;
    } catch (error) {
      failSpan(span, error);
      throw error;
    }
  };
  return {
    handle: (handling, support) =>
      around(handling.event, handling.bot, () => performer.handle(handling, support)),
    call: (step, signal) => around(step.event, step.export, () => performer.call(step, signal)),
  };
}
