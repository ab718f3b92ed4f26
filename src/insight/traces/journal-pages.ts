import type { Answers, Requests } from "../../runtime/control/contract.ts";
import type { Entry } from "../../runtime/store/entry.ts";

/** A stretch of the journal, by the numbers of its entries. */
export interface JournalSpan {
  readonly start: number;
  /** The first number behind it. */
  readonly end: number;
  /** What came before this time is left out, where a clock was set back. Milliseconds since the epoch. */
  readonly from: number;
}

type Rows = Answers["journal"];

/** Reads entries of the journal; what became of them need not be there. */
export interface EntryReader {
  entries(query: Requests["journal"]): Promise<Answers["journal"]>;
}

/** Numbers that are read at a time. */
const PAGE = 1_000;

/** The stretch that came since a time, or the latest `limit` entries of it. */
export async function journalSpan(
  stored: EntryReader,
  { from, limit }: { readonly from: number; readonly limit?: number },
): Promise<JournalSpan> {
  const [newest] = await stored.entries({ limit: 1 });
  const end = (newest?.seq ?? 0) + 1;
  const start = newest === undefined ? end : await firstSince(stored, from, end);
  if (limit === undefined) return { start, end, from };
  return { start: Math.max(start, await latest(stored, limit, start, end)), end, from };
}

/** Reads a stretch forwards, a page at a time. */
export async function* pagesOf(
  stored: EntryReader,
  { start, end, from }: JournalSpan,
  signal: AbortSignal,
): AsyncGenerator<readonly Entry[]> {
  let ahead: Promise<Rows> | undefined;
  for (let at = start; at < end && !signal.aborted; at += PAGE) {
    const rows = await (ahead ?? pageAt(stored, at, end));
    // the next one is read while this one is gone through
    ahead = at + PAGE < end ? pageAt(stored, at + PAGE, end) : undefined;
    ahead?.catch(() => {});
    const entries = rows.filter(({ seq, arrivedAt }) => seq >= at && arrivedAt >= from);
    if (entries.length > 0) yield entries.toReversed();
  }
}

function pageAt(stored: EntryReader, at: number, end: number): Promise<Rows> {
  return stored.entries({ before: Math.min(end, at + PAGE), limit: PAGE });
}

/** The number from which on entries came after `from`: looked for by halves, since numbers rise with time. */
async function firstSince(stored: EntryReader, from: number, end: number): Promise<number> {
  let [low, high] = [1, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await stored.entries({ before: middle + 1, limit: 1 });
    if (row === undefined || row.arrivedAt < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of the entry that is `limit` from the end: numbers are given to other things, too. */
async function latest(
  stored: EntryReader,
  limit: number,
  start: number,
  end: number,
): Promise<number> {
  let before = end;
  for (let left = limit; left > 0 && before > start;) {
    const rows = await stored.entries({ before, limit: Math.min(left, PAGE) });
    const last = rows.at(-1);
    if (last === undefined) break;
    left -= rows.length;
    before = last.seq;
  }
  return before;
}
