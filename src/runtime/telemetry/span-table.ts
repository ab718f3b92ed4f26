import { SpanKind } from "@opentelemetry/api";

/** Specification of a span. */
export interface SpanSpec {
  readonly name: string;
  readonly kind: SpanKind;
  readonly about: string;
  /** Names of the span's attributes. No attribute holds a text, a token or a person's id. */
  readonly attributes: readonly string[];
}

/** All spans that the runtime creates, in the order in which an event passes them. */
export const SPANS = {
  deliver: {
    name: "deliver",
    kind: SpanKind.SERVER,
    about: "A delivery, from its verified signature to its acknowledgement.",
    attributes: ["answerback.source", "answerback.events"],
  },
  append: {
    name: "append",
    kind: SpanKind.INTERNAL,
    about:
      "An event is stored on disk. If a delivery has several events, the spans of the others link to this one.",
    attributes: [
      "answerback.account",
      "answerback.event.kind",
      "answerback.source",
      "answerback.event.new",
      "answerback.event.seq",
    ],
  },
  decide: {
    name: "decide",
    kind: SpanKind.CONSUMER,
    about:
      "Rules decide on the event, and the outcome is stored. Span event `item queued` for each answer.",
    attributes: [
      "answerback.account",
      "answerback.event.kind",
      "answerback.event.seq",
      "answerback.rules.ran",
      "answerback.rules.verdicts",
      "answerback.outcome",
    ],
  },
  goOn: {
    name: "go on",
    kind: SpanKind.CONSUMER,
    about: "A run continues: its item was sent or failed, its timer is due, or its step has ended.",
    attributes: [
      "answerback.account",
      "answerback.event.seq",
      "answerback.input",
      "answerback.run",
      "answerback.outcome",
    ],
  },
  handle: {
    name: "handle",
    kind: SpanKind.INTERNAL,
    about: "A bot's handler, or the target of a `call`, runs.",
    attributes: ["answerback.account", "answerback.bot"],
  },
  send: {
    name: "send",
    kind: SpanKind.CLIENT,
    about: "One attempt to send an answer, from the mark on disk to the outcome.",
    attributes: [
      "answerback.account",
      "answerback.event.seq",
      "answerback.item.id",
      "answerback.item.attempt",
      "answerback.item.verb",
      "answerback.sending",
    ],
  },
} as const satisfies Record<string, SpanSpec>;
