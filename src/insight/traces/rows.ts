import type { AccountEvent } from "../../events/event.ts";
import { isAnswerable } from "../../events/kinds/answer-by-hand.ts";
import { fold } from "../../text/fold.ts";
import { eventInWords, eventText } from "../words/event.ts";
import { ruleOf, type OutboxItem } from "../kept-run.ts";
import { ruleOrBotOf } from "../../runtime/records.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { decided } from "./decided.ts";
import { readableEvent } from "./find-event.ts";
import { MAX_HANDOVERS, type TraceNeeds } from "./needs.ts";
import { isUnanswered, writtenAfter, writtenByHand } from "./outcome/by-hand-outcome.ts";
import { outcomeOf } from "./outcome/outcome.ts";
import type { TraceOutcomeWord } from "./outcome/outcome-words.ts";
import type { TraceOutcome } from "./trace.ts";
import { handleOf } from "../../text/handle.ts";

/** Filter of events. An absent key excludes nothing. Times are times of arrival, in milliseconds since the epoch. */
export interface TraceQuery {
  /** Selects events with a smaller number. The value is `next` of the previous page. */
  readonly before?: number;
  /** Maximum number of rows in the page. Default: 100, maximum: 500. */
  readonly limit?: number;
  readonly outcomes?: readonly TraceOutcomeWord[];
  /** Selects events for which the rule with this id ran. */
  readonly rule?: string;
  /** Selects events of the person with this user id, or this handle in any case, with or without `@`. */
  readonly person?: string;
  /** Selects events whose text contains this text, in any case. */
  readonly text?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Times of an event in the list, in milliseconds since the epoch. */
interface TraceRowTimes {
  readonly happened: number;
  readonly arrived: number;
  readonly decided?: number;
  /** Time at which the last outbox item was sent or failed. */
  readonly settled?: number;
}

/** Outcome of an event in the list. */
interface TraceRowResult {
  readonly outcome: TraceOutcome;
  /** Ids of the rules that ran. */
  readonly rules: readonly string[];
  /** Names of the bots that ran. */
  readonly bots: readonly string[];
  readonly items: number;
}

/** An event in the list of traces, with its outcome. */
export interface TraceRow extends TraceRowTimes, TraceRowResult {
  readonly seq: number;
  readonly key: string;
  readonly kind: string;
  readonly triggers: AccountEvent["triggers"];
  readonly account: string;
  readonly person?: { readonly id: string; readonly username?: string };
  readonly text?: string;
  readonly inWords: string;
  readonly source: Answers["journal"][number]["source"];
}

/** A page of a list, newest first. */
export interface TracePage {
  readonly rows: readonly TraceRow[];
  /** Value of `before` for the next page. Absent: this is the last page. */
  readonly next?: number;
}

/** Number of events that are read at a time. */
const READ = 100;
/**
 * Maximum number of events that are searched for one page. With a filter that few events match, a page may be shorter
 * than `limit`.
 */
const MAX_READ = 2_000;
const [USUAL, MAX_ROWS] = [100, 500];
/** Number of outbox items that are read at a time. */
const ITEMS = 1_000;

/** Returns events with their outcomes, newest first, from stored records. No rule is evaluated again. */
export async function traceRows(needs: TraceNeeds, query: TraceQuery = {}): Promise<TracePage> {
  const limit = Math.min(query.limit ?? USUAL, MAX_ROWS);
  const rows: TraceRow[] = [];
  let { before } = query;
  for (let looked = 0; looked < MAX_READ;) {
    const size = Math.min(READ, isFiltered(query) ? READ : limit - rows.length);
    const entries = await needs.journal({ limit: size, ...(before !== undefined && { before }) });
    const items = await itemsOf(needs, entries);
    const readers = { handWritten: itemsByHand(needs), handOvers: handOversByAccount(needs) };
    for (const entry of entries) {
      before = entry.seq;
      if (query.from !== undefined && entry.arrivedAt < query.from) return { rows };
      const row = await rowOf(entry, items.get(entry.seq) ?? [], needs, readers);
      if (fits(row, query)) rows.push(row);
      if (rows.length === limit) return { rows, next: before };
    }
    if (entries.length < size) return { rows };
    looked += entries.length;
  }
  return { rows, ...(before !== undefined && { next: before }) };
}

function isFiltered({ before: _before, limit: _limit, ...filters }: TraceQuery): boolean {
  return Object.keys(filters).length > 0;
}

/** Returns the outbox items of the entries' runs by entry number, oldest first. */
async function itemsOf(
  needs: TraceNeeds,
  entries: Answers["journal"],
): Promise<ReadonlyMap<number, readonly OutboxItem[]>> {
  const bySeq = new Map<number, OutboxItem[]>();
  const started = entries.filter(hasItems).map(({ seq }) => seq);
  const [seqTo, seqFrom] = [started[0], started.at(-1)];
  if (seqTo === undefined || seqFrom === undefined) return bySeq;
  for (let before: number | undefined; ;) {
    const page = { seqFrom, seqTo, limit: ITEMS, ...(before !== undefined && { before }) };
    const items = await needs.outbox(page);
    for (const item of items) bySeq.set(item.seq, [item, ...(bySeq.get(item.seq) ?? [])]);
    before = items.at(-1)?.id;
    if (items.length < ITEMS) return bySeq;
  }
}

function hasItems({ runs, kind }: Answers["journal"][number]): boolean {
  return runs.length > 0 || kind === "answer_by_hand";
}

/** Reads the outbox items that operators wrote by hand after an entry. Each conversation is queried once. */
type ItemsByHand = (row: Answers["journal"][number]) => Promise<readonly OutboxItem[]>;

function itemsByHand(needs: TraceNeeds): ItemsByHand {
  const lanes = new Map<string, Promise<readonly OutboxItem[]>>();
  return async ({ account, lane, seq }) => {
    const pending = lanes.get(lane) ?? writtenByHand(needs, { account, lane, seq: 0 });
    lanes.set(lane, pending);
    return writtenAfter(await pending, seq);
  };
}

/** Reads the latest hand-overs of an account. Each account is queried once. */
type HandOversByAccount = (account: string) => Promise<Answers["escalations"]>;

function handOversByAccount(needs: TraceNeeds): HandOversByAccount {
  const accounts = new Map<string, ReturnType<HandOversByAccount>>();
  return (account) => {
    const pending = accounts.get(account) ?? needs.escalations({ account, limit: MAX_HANDOVERS });
    accounts.set(account, pending);
    return pending;
  };
}

/** Readers of further records, which the rows of a page share. */
interface RowReaders {
  readonly handWritten: ItemsByHand;
  readonly handOvers: HandOversByAccount;
}

async function rowOf(
  row: Answers["journal"][number],
  items: readonly OutboxItem[],
  needs: TraceNeeds,
  { handWritten, handOvers }: RowReaders,
): Promise<TraceRow> {
  const event = readableEvent(row);
  const decision = decided({ row });
  const listening = event ? needs.ruleset().candidates(event.triggers).length : 0;
  const { hindrances = [] } = needs;
  const now = needs.now?.();
  const evidence = {
    row,
    decision,
    items,
    listening,
    hindrances,
    // only a run that sent nothing is explained by its hand-overs
    ...(row.runs.length > 0 && items.length === 0 && { escalations: await handOvers(row.account) }),
    ...(event && { event }),
    ...(now !== undefined && { now }),
  };
  const automatic = outcomeOf(evidence);
  const isOpen = isAnswerable(event) && isUnanswered(automatic);
  const { seq, key, kind, account, source, at: happened, arrivedAt: arrived, decidedAt } = row;
  const text = event && eventText(event);
  const settled = items.flatMap(({ settledAt }) => settledAt ?? []);
  const owners = [...new Set(row.runs.map(({ owner }) => ruleOrBotOf(owner)))];
  const sender = event && "sender" in event ? event.sender : undefined;
  return {
    seq,
    key,
    kind,
    triggers: event?.triggers ?? [],
    account,
    ...(sender !== undefined && {
      person: { id: sender.id, ...(sender.username && { username: sender.username }) },
    }),
    ...(text !== undefined && { text }),
    inWords: event ? eventInWords(event) : kind,
    source,
    outcome: isOpen ? outcomeOf({ ...evidence, byHand: await handWritten(row) }) : automatic,
    rules: owners.flatMap((owner) => ruleOf({ owner }) ?? []),
    bots: owners.flatMap((owner) => (owner.startsWith("bot:") ? owner.slice("bot:".length) : [])),
    items: items.length,
    happened,
    arrived,
    ...(decidedAt !== undefined && { decided: decidedAt }),
    ...(settled.length > 0 && { settled: Math.max(...settled) }),
  };
}

function fits(row: TraceRow, { outcomes, rule, person, text, to }: TraceQuery): boolean {
  if (to !== undefined && row.arrived > to) return false;
  if (outcomes !== undefined && !outcomes.includes(row.outcome.word)) return false;
  if (rule !== undefined && !row.rules.includes(rule)) return false;
  if (text !== undefined && (row.text === undefined || !fold(row.text).includes(fold(text)))) {
    return false;
  }
  if (person === undefined) return true;
  const wanted = handleOf(person).toLowerCase();
  return row.person?.id === wanted || row.person?.username?.toLowerCase() === wanted;
}
