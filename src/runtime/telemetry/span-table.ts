import { SpanKind } from "@opentelemetry/api";

/** Specification of a span. */
export interface SpanSpec {
  readonly name: string;
  readonly kind: SpanKind;
  readonly about: string;
  /** Names of its attributes. No attribute holds a text, a token or a person's id. */
  readonly attributes: readonly string[];
}

/** All spans, in the order in which an event passes them. */
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
    about: "An event is put on disk. In a delivery of several, the others link to its span.",
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
    about: "Rules decide on the event, and what follows is kept; `item queued` for each answer.",
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
    about: "A run goes on: its item is settled, its timer due, its effect performed.",
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
    about: "A bot's handler, or the target of a `call`, is at work.",
    attributes: ["answerback.account", "answerback.bot"],
  },
  send: {
    name: "send",
    kind: SpanKind.CLIENT,
    about: "One request of an answer, from its mark on disk to what came of it.",
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
