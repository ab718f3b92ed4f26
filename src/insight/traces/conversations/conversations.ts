import type { AccountEvent } from "../../../events/event.ts";
import { fold } from "../../../text/fold.ts";
import { handleOf } from "../../../text/handle.ts";
import { eventInWords, eventText } from "../../words/event.ts";
import { isLate } from "../../../runtime/runs.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { readableEvent } from "../find-event.ts";
import type { TraceNeeds } from "../needs.ts";
import type { TraceOutcome } from "../trace.ts";
import { type ConversationState, stateOfConversation } from "./conversation-states.ts";
import { isSaid, outcomeOfSaid } from "./said.ts";

/** Filter of conversations. An absent key excludes nothing. */
export interface ConversationsQuery {
  /**
   * Selects conversations whose last message has a smaller journal number. The value is `next` of the previous page.
   */
  readonly before?: number;
  /** Maximum number of conversations in the page. Default: 30. */
  readonly limit?: number;
  readonly states?: readonly ConversationState[];
  /** Selects conversations whose last message arrived late, by a replay of missed events or a backfill. */
  readonly late?: boolean;
  /** Selects conversations with this text in the handle, name, user id or last message, in any case. */
  readonly text?: string;
}

/** A conversation with its last message by the person. Times are milliseconds since the epoch. */
export interface ConversationRow {
  readonly lane: string;
  readonly account: { readonly id: string; readonly username?: string };
  readonly person: { readonly id: string; readonly username?: string; readonly name?: string };
  readonly seq: number;
  readonly text?: string;
  readonly inWords: string;
  readonly happened: number;
  /** Whether the last message arrived late, by a replay of missed events or a backfill. */
  readonly late: boolean;
  readonly state: ConversationState;
  readonly outcome: TraceOutcome;
}

/** A page of conversations. The conversation with the latest message comes first. */
export interface ConversationsPage {
  readonly rows: readonly ConversationRow[];
  /** Value of `before` for the next page. Absent: this is the last page. */
  readonly next?: number;
}

type JournalEntry = Answers["journal"][number];

const USUAL = 30;
/** Number of journal entries that are read at a time, and maximum number that are searched for one page. */
const [READ, MAX_READ] = [200, 5_000];
/** Maximum number of outbox items of a conversation, and maximum number of hand-overs, that are read. */
const MAX_ROWS = 1_000;

/**
 * Returns conversations with the outcome of the last message of each. The conversation with the latest message comes
 * first.
 */
export async function conversations(
  needs: TraceNeeds,
  query: ConversationsQuery = {},
): Promise<ConversationsPage> {
  const { limit = USUAL } = query;
  const escalations = await needs.escalations({ state: "open", limit: MAX_ROWS });
  const seen = new Set<string>();
  const rows: ConversationRow[] = [];
  let { before } = query;
  for (let looked = 0; looked < MAX_READ; looked += READ) {
    const entries = await needs.journal({ limit: READ, ...(before !== undefined && { before }) });
    for (const entry of entries) {
      before = entry.seq;
      const event = seen.has(entry.lane) ? undefined : readableEvent(entry);
      if (!isSaid(event)) continue;
      seen.add(entry.lane);
      if (await isEarlier(needs, entry, query)) continue;
      const row = await rowOf(needs, { entry, event, escalations }, query);
      if (row !== undefined) rows.push(row);
      if (rows.length === limit) return { rows, next: before };
    }
    if (entries.length < READ) return { rows };
  }
  return { rows, ...(before !== undefined && { next: before }) };
}

/** Returns whether an earlier page has listed the conversation: it has a message newer than the entry. */
async function isEarlier(
  needs: TraceNeeds,
  { lane, account, seq }: JournalEntry,
  { before }: ConversationsQuery,
): Promise<boolean> {
  if (before === undefined) return false;
  const newest = await needs.journal({ account, lane, limit: READ });
  return newest.some((one) => one.seq > seq && isSaid(readableEvent(one)));
}

interface Found {
  readonly entry: JournalEntry;
  readonly event: AccountEvent;
  readonly escalations: Answers["escalations"];
}

async function rowOf(
  needs: TraceNeeds,
  { entry, event, escalations }: Found,
  { states, text: wanted, late: onlyLate }: ConversationsQuery,
): Promise<ConversationRow | undefined> {
  const { lane, account, seq, at: happened } = entry;
  const late = isLate(entry);
  if (onlyLate === true && !late) return undefined;
  const person = personOf(event, lane);
  const text = eventText(event);
  const words = fold([person.id, person.username, person.name, text].join("\n"));
  if (wanted !== undefined && !words.includes(fold(handleOf(wanted)))) {
    return undefined;
  }
  const items = await needs.outbox({ account, lane, limit: MAX_ROWS });
  const outcome = await outcomeOfSaid(needs, { row: entry, event, items, escalations });
  const isEscalated = escalations.some((one) => one.lane === lane && one.resolvedAt === undefined);
  const reached = items.some((item) => item.seq === seq && item.status === "sent");
  const state = stateOfConversation(outcome.word, { isEscalated, reached });
  if (states !== undefined && states.length > 0 && !states.includes(state)) return undefined;
  const username = needs.usernameOf?.(account);
  return {
    lane,
    account: { id: account, ...(username !== undefined && { username }) },
    person,
    seq,
    ...(text !== undefined && { text }),
    inWords: eventInWords(event),
    happened,
    late,
    state,
    outcome,
  };
}

/** Returns the person of a conversation. */
export function personOf(event: AccountEvent, lane: string): ConversationRow["person"] {
  if (!("sender" in event)) return { id: lane.slice(lane.indexOf("/") + 1) };
  const { id, username, name } = event.sender;
  return { id, ...(username !== undefined && { username }), ...(name !== undefined && { name }) };
}
