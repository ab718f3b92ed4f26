import type { Action } from "../../../actions/actions.ts";
import type { AnswerByHandEvent } from "../../../events/event.ts";
import type { Entry } from "../../store/entry.ts";
import { operatorOwner } from "../../store/operator-owner.ts";
import { type Interpretation, NOTHING } from "../lane-event.ts";
import { itemAt, newPlace } from "../run-place.ts";

/** Whether an entry is an operator's answer. Entries that the platform delivered never are, whatever their kind. */
export function isByHand({ kind, source }: Entry): boolean {
  return kind === "answer_by_hand" && source === "operator";
}

/** Returns what follows from an operator's answer: one item for the person or the group. No rule is evaluated. */
export function answeredByHand(
  { answer }: AnswerByHandEvent,
  entry: Entry,
  now: number,
): Interpretation {
  const { to, text, by, inReplyTo, conversation } = answer;
  const action: Action =
    inReplyTo === undefined
      ? { type: "reply_dm", to, text, ...(conversation !== undefined && { conversation }) }
      : { type: "reply_post", inReplyTo, to, text };
  const place = newPlace(entry, operatorOwner(by), "current");
  // A person waits for this answer, so it gets the highest priority, whatever the kind of the entry.
  const item = { ...itemAt(place, "answer", action, now, { heardAt: entry.at }), priority: 0 };
  return { ...NOTHING, decision: { ran: [], now }, items: [item] };
}
