import { context, trace } from "@opentelemetry/api";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { Item } from "../store/item.ts";
import type { ReadPort } from "../store/store.ts";
import { contextOf } from "./event-trace.ts";
import type { Metrics } from "./metrics.ts";
import type { Origin, QueuedAnswers } from "./queued-answers.ts";
import { SPANS } from "./span-table.ts";
import { failSpan, type SpanSource } from "./spans.ts";

export interface SendWatchNeeds {
  readonly metrics: Pick<Metrics, "answerBegun"> | undefined;
  readonly spans: SpanSource | undefined;
  readonly answers: QueuedAnswers;
  readonly store: Pick<ReadPort, "journal">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** Sends a request; calls `onWrite` in the tick in which the request is written. */
type Send<Ended> = (onWrite: () => void) => Promise<Ended>;

/** Outcomes of a request after which the item is not sent again. */
const LAST: ReadonlySet<string> = new Set(["accepted", "refused"]);

/** Returns a wrapper for each request of the outbox, which records the delay of the bot's answer, and a span. */
export function sendWatch({ metrics, spans, answers, store, clock, log }: SendWatchNeeds) {
  const noteWrite = (item: Item, origin: Origin | undefined): void => {
    if (origin?.arrivedAt === undefined || item.attempts > 1) return;
    metrics?.answerBegun((clock.now() - origin.arrivedAt) / 1_000);
  };
  /**
   * Returns the key of an item's event. If an earlier process queued the item, the key is read from the journal;
   * undefined if that fails, because a failing store must not prevent the sending.
   */
  const keyOf = async ({ seq }: Item, origin: Origin | undefined): Promise<string | undefined> => {
    if (origin !== undefined) return origin.key;
    try {
      const [row] = await store.journal({ seq, limit: 1 });
      return row?.key;
    } catch (error) {
      log.debug({ err: error, seq }, "sent without a tracing span: the event was not found");
      return undefined;
    }
  };
  const inSpan = async <Ended extends { readonly kind: string }>(
    source: SpanSource,
    item: Item,
    key: string,
    send: () => Promise<Ended>,
  ): Promise<Ended> => {
    const { account, seq, id, attempts, action } = item;
    const within = contextOf({ account, key });
    const attributes = {
      "answerback.account": account,
      "answerback.event.seq": seq,
      "answerback.item.id": id,
      "answerback.item.attempt": attempts,
      "answerback.item.verb": action.type,
    };
    const span = source.begin(SPANS.send, { within, attributes });
    const ended = await context.with(trace.setSpan(within, span), send);
    span.setAttribute("answerback.sending", ended.kind);
    if (ended.kind === "accepted") span.end();
    else failSpan(span, ended.kind);
    return ended;
  };
  return async <Ended extends { readonly kind: string }>(
    item: Item,
    send: Send<Ended>,
  ): Promise<Ended> => {
    const origin = answers.originOf(item);
    const request = (): Promise<Ended> => send(() => noteWrite(item, origin));
    const key = spans === undefined ? undefined : await keyOf(item, origin);
    const ended =
      spans === undefined || key === undefined
        ? await request()
        : await inSpan(spans, item, key, request);
    if (LAST.has(ended.kind)) answers.forget(item);
    return ended;
  };
}
