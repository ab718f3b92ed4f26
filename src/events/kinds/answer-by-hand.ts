import type { AccountEvent, AnswerByHandEvent, WrittenByHand } from "../event.ts";
import { groupLaneOf, laneOf } from "../lane.ts";
import { withoutGaps } from "../person.ts";
import { dateAt, idAt, numberAt, objectAt, textAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

export const answerByHand: EventKind<AnswerByHandEvent> = {
  wire: { keys: ["answerback_answer_by_hand"], read },
  fields: {},
  counterpart: ({ answer }) => answer.to,
};

/** Operator's answer that is to be stored in the journal. */
export interface NewAnswerByHand extends WrittenByHand {
  /** Idempotency key from the operator's program: a repeated request has the same key. */
  readonly key: string;
  /** Time of the answer in milliseconds since the epoch. */
  readonly at: number;
}

/** Returns the body in which the journal stores an operator's answer; `translate` reads it. */
export function answerByHandBody(account: string, written: NewAnswerByHand): object {
  const { key, at, to, username, text, by, answers, inReplyTo, conversation } = written;
  const answer = {
    key,
    at: new Date(at).toISOString(),
    to: { id: to, ...(username !== undefined && { username }) },
    text,
    by,
    answers,
    ...(inReplyTo !== undefined && { in_reply_to: inReplyTo }),
    ...(conversation !== undefined && { conversation }),
  };
  return { for_user_id: account, answerback_answer_by_hand: [answer] };
}

/** Returns the journal key of an operator's answer. */
export function answerByHandKey(key: string): string {
  return `by-hand:${key}`;
}

/** An event that an operator can answer. */
export type AnswerableEvent = Extract<AccountEvent, { readonly kind: "message" | "post" }>;

/**
 * Returns whether an operator can answer an event: another person's message, or another person's post that is no
 * repost.
 */
export function isAnswerable(event: AccountEvent | undefined): event is AnswerableEvent {
  if (event?.direction !== "inbound") return false;
  if (event.kind === "message") return true;
  return event.kind === "post" && event.post.reposted === undefined;
}

function read(element: Wire, { accountId }: Delivery): AnswerByHandEvent | undefined {
  const person = objectAt(element, "to");
  const [key, text, by] = ["key", "text", "by"].map((name) => textAt(element, name));
  const [to, at, answers] = [idAt(person), dateAt(element, "at"), numberAt(element, "answers")];
  if (key === undefined || text === undefined || by === undefined) return undefined;
  if (to === undefined || at === undefined || answers === undefined) return undefined;
  const conversation = textAt(element, "conversation");
  return {
    kind: "answer_by_hand",
    key: answerByHandKey(key),
    accountId,
    at,
    direction: "outbound",
    lane: conversation === undefined ? laneOf(accountId, to) : groupLaneOf(accountId, conversation),
    triggers: [],
    answer: withoutGaps({
      to,
      username: textAt(person, "username"),
      text,
      by,
      answers,
      inReplyTo: textAt(element, "in_reply_to"),
      conversation,
    }),
  };
}
