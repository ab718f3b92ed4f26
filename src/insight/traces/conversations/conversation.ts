import { describeAction } from "../../../actions/actions.ts";
import { UsageError } from "../../../errors.ts";
import type { AccountEvent, AnswerByHandEvent } from "../../../events/event.ts";
import { isAnswerable } from "../../../events/kinds/answer-by-hand.ts";
import { handlesIn } from "../../../events/handles.ts";
import { eventInWords, eventText } from "../../words/event.ts";
import { operatorOf } from "../../../runtime/records.ts";
import { isLate } from "../../../runtime/runs.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { readableEvent } from "../find-event.ts";
import { handOversNear, type TraceNeeds } from "../needs.ts";
import { writtenByHand } from "../outcome/by-hand-outcome.ts";
import { senderInWords } from "../outcome/item-outcome.ts";
import { sendNow, type TraceRepair } from "../outcome/repair.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { TraceOutcome } from "../trace.ts";
import { type ConversationRow, personOf } from "./conversations.ts";
import { isSaid, outcomeOfSaid } from "./said.ts";

/** A conversation in chronological order. */
export interface Conversation extends Pick<ConversationRow, "lane" | "account" | "person"> {
  /** Turns (messages and other actions), the latest last. */
  readonly turns: readonly ConversationTurn[];
  /** Hand-overs of the conversation that are open. */
  readonly escalations: Answers["escalations"];
  /** Message or post that an operator can answer by hand. Absent: no turn can be answered. */
  readonly answerable?: { readonly seq: number; readonly as: "reply_dm" | "reply_post" };
  /** Value of `before` for reading earlier turns. Absent: there are no earlier turns. */
  readonly earlier?: number;
}

/** Message or action in a conversation, by the person, the bot or an operator. `at`: milliseconds since the epoch. */
export type ConversationTurn = { readonly at: number } & (
  | {
      /** Message of the person, with its outcome. */
      readonly kind: "said";
      readonly seq: number;
      readonly text?: string;
      readonly inWords: string;
      /** Whether the message arrived late, by a replay of missed events or a backfill. */
      readonly late: boolean;
      readonly outcome: TraceOutcome;
    }
  | {
      /** Another action of the person, such as a like, or a message that the account sent without the bot. */
      readonly kind: "other";
      readonly seq: number;
      readonly inWords: string;
    }
  | {
      /** Answer of the bot, sent or still to be sent. */
      readonly kind: "answer";
      /** Id of the outbox item. Absent: the answer is not queued yet. */
      readonly item?: number;
      readonly seq: number;
      /** Sender of the answer, such as `rule hours`, `bot shop` or `hand by Kim`. */
      readonly by: string;
      /** Name of the operator who wrote the answer by hand. Absent: a rule or a bot sent the answer. */
      readonly operator?: string;
      readonly text?: string;
      readonly inWords: string;
      readonly status: OutboxItem["status"];
      readonly reason?: string;
      readonly repair?: TraceRepair;
    }
);

/** Maximum numbers of journal entries and outbox items of a conversation that are read. */
const [ENTRIES, ITEMS] = [50, 200];

/**
 * Returns the conversation of a lane.
 *
 * @param before Returns only entries with a smaller journal number.
 * @throws {UsageError} when the lane has no conversation.
 */
export async function conversationIn(
  needs: TraceNeeds,
  lane: string,
  before?: number,
): Promise<Conversation> {
  const read = await needs.journal({
    lane,
    limit: ENTRIES + 1,
    ...(before !== undefined && { before }),
  });
  const rows = read.slice(0, ENTRIES);
  const entries = rows.flatMap((row) => {
    const event = readableEvent(row);
    return event === undefined ? [] : [{ row, event }];
  });
  const [newest] = entries;
  if (newest === undefined) throw new UsageError(`there is no conversation ${lane}`);
  const { account } = newest.row;
  const span = before === undefined ? {} : { seqTo: before - 1 };
  const items = await needs.outbox({ account, lane, limit: ITEMS, ...span });
  const later =
    before === undefined ? [] : await writtenByHand(needs, { account, lane, seq: before - 1 });
  const all = await handOversNear(needs, { account, lane });
  const sent = new Set(items.flatMap(({ platformId }) => platformId ?? []));
  const turns: ConversationTurn[] = [];
  for (const { row, event } of entries) {
    const { seq, at } = row;
    const inWords = eventInWords(event);
    if (event.kind === "answer_by_hand") {
      if (!items.some((item) => item.seq === seq)) turns.push(unqueued(event, row));
    } else if (isSaid(event)) {
      const text = eventText(event);
      const evidence = { row, event, items: [...items, ...later], escalations: all };
      const outcome = await outcomeOfSaid(needs, evidence);
      const said = { kind: "said", at, seq, inWords, late: isLate(row), outcome } as const;
      turns.push({ ...said, ...(text !== undefined && { text }) });
    } else if (!isEcho(event, sent)) turns.push({ kind: "other", at, seq, inWords });
  }
  const handles = handlesIn(entries.map(({ event }) => event));
  const oldest = Math.min(...rows.map(({ seq }) => seq));
  turns.push(...items.filter(({ seq }) => seq >= oldest).map((item) => answerOf(item, handles)));
  const username = needs.usernameOf?.(account);
  const said = entries.find(({ event }) => event.direction === "inbound") ?? newest;
  return {
    lane,
    account: { id: account, ...(username !== undefined && { username }) },
    person: personOf(said.event, lane),
    turns: turns.toSorted((a, b) => a.at - b.at),
    ...answerableIn(entries.map(({ row, event }) => ({ seq: row.seq, event }))),
    escalations: all.filter((one) => one.lane === lane && one.resolvedAt === undefined),
    ...(read.length > ENTRIES && { earlier: oldest }),
  };
}

/** Whether an event is the platform's echo of a message or post that the bot has sent from its outbox. */
function isEcho(event: AccountEvent, sent: ReadonlySet<string>): boolean {
  if (event.direction !== "outbound") return false;
  if (event.kind === "message") return sent.has(event.message.id);
  return event.kind === "post" && sent.has(event.post.id);
}

/** Finds the newest message or post that can be answered by hand. */
function answerableIn(
  newestFirst: readonly { readonly seq: number; readonly event: AccountEvent }[],
): Pick<Conversation, "answerable"> {
  const newest = newestFirst.find(({ event }) => isAnswerable(event));
  if (newest === undefined) return {};
  const as = newest.event.kind === "post" ? "reply_post" : "reply_dm";
  return { answerable: { seq: newest.seq, as } };
}

/** Returns the turn for an operator's answer that is in the journal but not yet in the outbox. */
function unqueued(
  { answer: { text, by }, at }: AnswerByHandEvent,
  { seq, state }: Answers["journal"][number],
): ConversationTurn {
  const isLost = state !== "open";
  return {
    kind: "answer",
    at,
    seq,
    by: `hand by ${by}`,
    operator: by,
    text,
    inWords: text,
    status: isLost ? "failed" : "pending",
    ...(isLost && { reason: "it was not queued; see the log" }),
  };
}

function answerOf(item: OutboxItem, handles: ReadonlyMap<string, string>): ConversationTurn {
  const { id, seq, action, status, reason, settledAt, startedAt, notBefore } = item;
  const operator = operatorOf(item);
  const isOpen = status === "held" || status === "failed" || status === "expired";
  return {
    kind: "answer",
    at: settledAt ?? startedAt ?? notBefore,
    item: id,
    seq,
    by: senderInWords(item),
    ...(operator !== undefined && { operator }),
    ...("text" in action && typeof action.text === "string" && { text: action.text }),
    inWords: describeAction(action, handles),
    status,
    ...(reason !== undefined && { reason }),
    ...(isOpen && { repair: sendNow(id) }),
  };
}
