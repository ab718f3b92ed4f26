import type { Action } from "../../../actions/actions.ts";
import { placeOfReply } from "../../../actions/reply-dm.ts";
import { groupOf } from "../../../events/conversation.ts";
import type { AccountEvent } from "../../../events/event.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import { optOutKey } from "../../../rules/user-state.ts";
import type { Entry } from "../../store/entry.ts";
import type { NewItem } from "../../store/item.ts";
import { type RunAndEntry, runId } from "../../store/run.ts";
import { endWhole, wholeRunAt } from "../parallel/whole-run.ts";
import { joined, type Interpretation, NOTHING } from "../lane-event.ts";
import type { Memory } from "../memory.ts";
import { itemAt, newPlace } from "../run-place.ts";
import { type OptOut, says } from "./opt-out-words.ts";

/** Event of a person, with the data that decides whether it is an opt-out. */
interface AtHand {
  readonly event: AccountEvent;
  readonly entry: Entry;
  /** Runs of this person's conversation that wait for an answer. */
  readonly listeners: readonly RunAndEntry[];
  /** Returns the user id of the person who caused an entry. */
  readonly personOf: (entry: Entry) => string | undefined;
  readonly memory: Memory;
  readonly now: number;
}

/** Owner of the answers to opt-outs and opt-ins. */
const OPT_OUT_OWNER = "settings:opt_out";
/** Reason why queued items to the person are not sent any more. */
const HAS_OPTED_OUT = "the person has opted out";

/**
 * Handles an event of a person who has opted out, opts out now, or opts in again. Neither rules nor bots get such an
 * event.
 *
 * @returns undefined for all other events.
 */
export async function optedOut(
  { words, back, text, backText }: OptOut,
  hand: AtHand,
): Promise<Interpretation | undefined> {
  const { event, entry, memory, now } = hand;
  const person = counterpartOf(event);
  if (person === undefined) return undefined;
  const key = optOutKey(event.accountId, person);
  await memory.load([key]);
  const isOut = memory.read(key) !== undefined;
  if (!isOut && says(event, words)) {
    memory.write({ key, value: { at: event.at, event: event.key } });
    const isGroup = groupOf(event) !== undefined;
    const ended = hand.listeners
      .filter((one) => !isGroup || hand.personOf(one.entry) === person)
      .map(({ run }) => endWhole(wholeRunAt(run, memory), HAS_OPTED_OUT));
    const reply = answer(hand, person, text);
    return {
      ...joined([...ended, reply]),
      // The lane of a group has items of other people. Items to this person fail when they are due, in all lanes.
      ...(!isGroup && { clearsLane: HAS_OPTED_OUT }),
      decision: { ran: [], now, reason: "the message is the person's opt-out" },
      state: memory.writes(),
    };
  }
  if (!isOut) return undefined;
  if (says(event, back)) {
    memory.write({ key, value: undefined });
    const decision = { ran: [], now, reason: "the message ends the person's opt-out" };
    return { ...answer({ event, entry, now }, person, backText), decision, state: memory.writes() };
  }
  return { ...NOTHING, decision: { ran: [], now, reason: HAS_OPTED_OUT }, state: memory.writes() };
}

/**
 * Returns the condition under which an item fails: its receiver has opted out. Undefined for the answer to the opt-out
 * itself.
 */
export function optOutOf({
  run,
  seq,
  account,
  action,
}: Pick<NewItem, "run" | "seq" | "account" | "action">): NewItem["unless"] {
  if (run === runId(seq, OPT_OUT_OWNER)) return undefined;
  return { key: optOutKey(account, action.to), reason: HAS_OPTED_OUT };
}

/** Answers an opt-out or opt-in once, in the place where the person wrote it. */
function answer(
  { event, entry, now }: Pick<AtHand, "event" | "entry" | "now">,
  to: string,
  text: string | undefined,
): Interpretation {
  if (text === undefined) return NOTHING;
  const action: Action =
    event.kind === "post"
      ? { type: "reply_post", inReplyTo: event.post.id, to, text }
      : { type: "reply_dm", ...placeOfReply(event, to), text };
  const place = newPlace(entry, OPT_OUT_OWNER, "current");
  return { ...NOTHING, items: [itemAt(place, "answer", action, now)] };
}
