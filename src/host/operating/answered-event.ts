import { laneOf } from "../../events/lane.ts";
import { type AnswerableEvent, isAnswerable } from "../../events/kinds/answer-by-hand.ts";
import type { AccountEvent } from "../../events/event.ts";
import { eventOf } from "../../runtime/runs/entry-event.ts";
import { handleOf } from "../../text/handle.ts";
import type { JournalRow } from "../../runtime/store/listings.ts";
import type { ReadPort } from "../../runtime/store/store.ts";

/** Message or post that an operator answers. */
export interface AnsweredEvent {
  readonly row: JournalRow;
  readonly event: AnswerableEvent;
}

type JournalReader = Pick<ReadPort, "journal">;

/** Number of journal entries read at a time. */
const PAGE = 200;

/**
 * Finds the last message or post of a person to one of the accounts. Searches the whole journal, page by page.
 *
 * @param person User id, or handle in any case, with or without `@`. A handle of digits only needs its `@`.
 * @param accounts User ids of the accounts.
 */
export async function latestOf(
  store: JournalReader,
  person: string,
  accounts: readonly string[],
): Promise<AnsweredEvent | undefined> {
  const text = handleOf(person).toLowerCase();
  // Digits are not searched as a handle: another person may have taken this id as a handle.
  const isId = /^\d+$/.test(person);
  const search: Search = {
    text,
    fits: ({ accountId, sender }) =>
      accounts.includes(accountId) &&
      (isId ? sender.id === person : sender.username?.toLowerCase() === text),
  };
  let latest: AnsweredEvent | undefined;
  for (const account of isId ? accounts : []) {
    const place = { account, lane: laneOf(account, person) };
    latest = (await newest(store, place, { ...search, after: latest?.row.seq })) ?? latest;
  }
  // The lane of a person does not have the person's messages in groups.
  const [account, ...others] = accounts;
  const where = account !== undefined && others.length === 0 ? { account } : {};
  return (await newest(store, where, { ...search, after: latest?.row.seq })) ?? latest;
}

/** Returns the side of a conversation that has blocked the other side; undefined if neither side has. */
export async function blockIn(
  store: JournalReader,
  account: string,
  lane: string,
): Promise<"person" | "account" | undefined> {
  for (const row of await store.journal({ account, lane, limit: PAGE, bare: true })) {
    const event = row.kind === "relation" ? readable(row) : undefined;
    if (event?.kind !== "relation") continue;
    if (event.relation === "unblock") return undefined;
    if (event.relation === "block") return event.direction === "inbound" ? "person" : "account";
  }
  return undefined;
}

/** Returns the event of an entry if an operator can answer it. */
export function answerable(row: JournalRow): AnsweredEvent | undefined {
  const event = readable(row);
  return isAnswerable(event) ? { row, event } : undefined;
}

interface Search {
  /** Text in lower case that the stored body of the event contains. */
  readonly text: string;
  readonly fits: (event: AnswerableEvent) => boolean;
  /** Searches only entries with a greater number; all entries if undefined. */
  readonly after?: number | undefined;
}

async function newest(
  store: JournalReader,
  where: { readonly account?: string; readonly lane?: string },
  { text, fits, after = 0 }: Search,
): Promise<AnsweredEvent | undefined> {
  for (let before: number | undefined; ;) {
    const page = { ...where, limit: PAGE, bare: true, ...(before !== undefined && { before }) };
    const rows = await store.journal(page);
    for (const row of rows) {
      if (row.seq <= after) return undefined;
      const candidate = row.body.toLowerCase().includes(text) ? answerable(row) : undefined;
      if (candidate !== undefined && fits(candidate.event)) return candidate;
    }
    before = rows.at(-1)?.seq;
    if (rows.length < PAGE) return undefined;
  }
}

/** Returns the event of an entry; undefined if an older version stored it in a format that this version can't read. */
function readable(row: JournalRow): AccountEvent | undefined {
  try {
    return eventOf(row);
  } catch {
    return undefined;
  }
}
