import { describeAction } from "../../../actions/actions.ts";
import { isAnswering } from "../../../actions/answering.ts";
import {
  HELD_QUIET,
  countedAs,
  operatorOf,
  ruleOrBotOf,
  runIdParts,
} from "../../../runtime/records.ts";
import { DRY_RUN } from "../../../runtime/runs.ts";
import type { ItemStatus } from "../../../runtime/vocabulary.ts";
import { shell } from "../../../text/shell.ts";
import { type AnswerHindrance, hindranceAt } from "./hindrances.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { TraceOutcome } from "../trace.ts";
import type { TraceOutcomeWord } from "./outcome-words.ts";
import { look, sendNow, type TraceRepair } from "./repair.ts";
import { ownerInWords, timeInWords } from "../../words/run.ts";

/** Context for describing the outcome of outbox items. */
interface ItemsSeen {
  /** `@handle` of people by their user ids. */
  readonly handles: ReadonlyMap<string, string>;
  /** Current time by the platform's clock, in milliseconds since the epoch. */
  readonly now: number | undefined;
  /** Conditions that keep the bot from answering. */
  readonly hindrances: readonly AnswerHindrance[];
  /** Items of the lane that have not been sent yet, oldest first. An item waits until all items before it are sent. */
  readonly lane: readonly OutboxItem[];
}

/** States of unsent items, the worst first. */
const WORST: readonly ItemStatus[] = ["failed", "unknown", "held", "expired", "sending", "pending"];

/** Returns the outcome of the worst of an event's outbox items; undefined if all are sent, or there are no items. */
export function unsentOutcome(
  items: readonly OutboxItem[],
  seen: ItemsSeen,
): TraceOutcome | undefined {
  for (const status of WORST) {
    const item = items.find((one) => one.status === status);
    if (item !== undefined) return outcomeOfItem(item, seen);
  }
  return undefined;
}

/** Returns the outcome of an outbox item, with the step that an operator can take to get it sent. */
export function outcomeOfItem(item: OutboxItem, seen: ItemsSeen): TraceOutcome {
  const { handles, now } = seen;
  const { id, status, action, reason, notBefore } = item;
  const what = nameOfItem(item, handles);
  const why = reason === undefined ? "" : `: ${reason}`;
  const show = look(shell`answerback outbox show ${id}`);
  const make = (word: TraceOutcomeWord, text: string, repair: TraceRepair): TraceOutcome => ({
    word,
    reason: `${what} ${text}`,
    repair,
  });
  switch (status) {
    case "held":
      return reason === HELD_QUIET
        ? make("held", `is held in quiet hours until ${timeInWords(notBefore, now)}`, sendNow(id))
        : make("held", `is held back${why}`, sendNow(id));
    case "pending": {
      const [text, repair = show] = waitInWords(item, seen);
      return make("sending", text, repair);
    }
    case "sending": {
      const { reason: stop, repair } = hindranceAt(seen.hindrances, "sending", item.account) ?? {};
      return stop === undefined || repair === undefined
        ? make("sending", "is on its way", show)
        : make("sending", `was on its way: ${stop}`, { inWords: repair });
    }
    case "unknown":
      return make("error", `may have arrived or not${why}`, unknownRepair(id));
    case "failed":
      return isDropped(item)
        ? make("dropped", "was dropped by the operator", sendNow(id))
        : make("error", `was not sent${why}${refusalExplained(reason)}`, sendNow(id));
    case "expired":
      return make("dropped", `was given up${why}`, sendNow(id));
    case "sent":
      return { word: "answered", reason: describeAction(action, handles) };
  }
}

/** Returns the name of an item: `the answer`, `the answer by hand by Kim`, `follow of @ana`. */
function nameOfItem(item: OutboxItem, handles: ReadonlyMap<string, string>): string {
  const operator = operatorOf(item);
  if (operator !== undefined) return `the answer by hand by ${operator}`;
  return isAnswering(item.action.type) ? "the answer" : describeAction(item.action, handles);
}

/** Matches the reasons of items that wait for the end of a rate limit window of the platform. */
const LIMITED = /\b429\b|requests of the limit are used/;

/** Describes why a pending item waits. Includes a step for the operator, unless the item only waits for its time. */
function waitInWords(
  { id, account, reason, notBefore }: OutboxItem,
  { now, hindrances, lane }: ItemsSeen,
): readonly [string, TraceRepair?] {
  const stop = hindranceAt(hindrances, "sending", account);
  if (stop !== undefined) return [`waits to be sent: ${stop.reason}`, { inWords: stop.repair }];
  const ahead = lane.find((one) => one.id < id);
  if (reason === undefined && ahead !== undefined) {
    const why = ahead.reason === undefined ? "" : ` (${ahead.reason})`;
    const repair = look(shell`answerback outbox show ${ahead.id}`);
    return [`waits behind item ${ahead.id}, which is ${ahead.status}${why}`, repair];
  }
  const until = notBefore > (now ?? notBefore) ? ` until ${timeInWords(notBefore, now)}` : "";
  const why = reason === undefined ? "" : `: ${reason}`;
  if (!LIMITED.test(reason ?? "")) return [`waits to be sent${until}${why}`];
  const show = shell`answerback outbox show ${id}`;
  return [
    `waits to be sent${until}, since the platform's limit is used up${why}`,
    { inWords: `it is sent by itself then; see ${show}` },
  ];
}

/** Matches the platform's error text for a direct message to a person who does not accept messages from the account. */
const NOT_TO_THIS_PERSON = /permission to (?:DM|message)|cannot send messages to this user/i;

/** Returns an explanation of the platform's refusal in brackets; empty if the refusal is clear by itself. */
export function refusalExplained(reason = ""): string {
  if (!NOT_TO_THIS_PERSON.test(reason)) return "";
  return " (one has blocked the other, or the person takes no messages from the account)";
}

/** Returns whether an operator dropped the item. */
export function isDropped(item: OutboxItem): boolean {
  return countedAs(item) === "dropped";
}

function unknownRepair(id: number): TraceRepair {
  const sent = shell`answerback outbox settle ${id} --as sent`;
  const again = shell`answerback outbox retry ${id} --anyway`;
  return {
    inWords: `look whether it is there, then: ${sent}, or send it once more: ${again}`,
    does: { kind: "retry-item", id, anyway: true },
  };
}

/** Returns the sender of an item: `rule hours`, `bot shop`, `hand by Kim`. */
export function senderInWords(item: Pick<OutboxItem, "run">): string {
  const operator = operatorOf(item);
  if (operator !== undefined) return `hand by ${operator}`;
  return ownerInWords({ owner: ruleOrBotOf(runIdParts(item.run)[1]) });
}

/** Returns the outcome of sent items. It names the rule, bot or operator that sent the first item. */
export function sentOutcome(
  sent: readonly OutboxItem[],
  handles: ReadonlyMap<string, string>,
): TraceOutcome | undefined {
  const first = sent.find(({ action }) => isAnswering(action.type)) ?? sent[0];
  if (first === undefined) return undefined;
  const { action } = first;
  const more = sent.length > 1 ? `, and ${sent.length - 1} more` : "";
  const dry = first.reason === DRY_RUN ? " (not sent: the bot runs with --dry-run)" : "";
  const said = `${describeAction(action, handles)}${more}${dry}`;
  const by = senderInWords(first);
  if (!isAnswering(action.type)) return { word: "acted", reason: `${by} did: ${said}` };
  return { word: "answered", reason: `answered by ${by}: ${said}` };
}
