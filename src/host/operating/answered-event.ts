import { laneOf } from "../../events/lane.ts";
import { type AnswerableEvent, isAnswerable } from "../../events/kinds/answer-by-hand.ts";
import type { AccountEvent } from "../../events/event.ts";
import { eventOf } from "../../runtime/runs/entry-event.ts";
import type { JournalRow } from "../../runtime/store/listings.ts";
import type { ReadPort } from "../../runtime/store/store.ts";

/** Message or post that an operator answers. */
export interface AnsweredEvent {
  readonly row: JournalRow;
  readonly event: AnswerableEvent;
}

type JournalReader = Pick<ReadPort, "journal">;

/** Number of journal entries read at a time, and maximum number searched for the last message or post of a person. */
const [PAGE, MAX_READ] = [200, 10_000];

/**
 * Finds the last message or post of a person to one of the accounts.
 *
 * @param person User id, or handle in any case, with or without `@`. A handle of digits only needs its `@`.
 * @param accounts User ids of the accounts.
 */
export async function latestOf(
  store: JournalReader,
  person: string,
  accounts: readonly string[],
): Promise<AnsweredEvent | undefined> {
  if (/^\d+$/.test(person)) {
    const events: AnsweredEvent[] = [];
    for (const account of accounts) {
      const latest = await newest(store, { account, lane: laneOf(account, person) }, () => true);
      if (latest !== undefined) events.push(latest);
    }
    // Not searched as a handle: another person may have taken this id as a handle.
    return events.toSorted((a, b) => b.row.seq - a.row.seq)[0];
  }
  const handle = person.replace(/^@/, "").toLowerCase();
  const [account, ...others] = accounts;
  const where = account !== undefined && others.length === 0 ? { account } : {};
  return newest(
    store,
    where,
    ({ accountId, sender }) =>
      accounts.includes(accountId) && sender.username?.toLowerCase() === handle,
  );
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

async function newest(
  store: JournalReader,
  where: { readonly account?: string; readonly lane?: string },
  fits: (event: AnswerableEvent) => boolean,
): Promise<AnsweredEvent | undefined> {
  for (let before: number | undefined, looked = 0; looked < MAX_READ; looked += PAGE) {
    const page = { ...where, limit: PAGE, bare: true, ...(before !== undefined && { before }) };
    const rows = await store.journal(page);
    for (const row of rows) {
      const candidate = answerable(row);
      if (candidate !== undefined && fits(candidate.event)) return candidate;
    }
    before = rows.at(-1)?.seq;
    if (rows.length < PAGE) return undefined;
  }
  return undefined;
}

/** Returns the event of an entry; undefined if an older version stored it in a format that this version can't read. */
function readable(row: JournalRow): AccountEvent | undefined {
  try {
    return eventOf(row);
  } catch {
    return undefined;
  }
}
