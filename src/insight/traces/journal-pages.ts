import type { Answers, Entry, Requests } from "../../runtime/vocabulary.ts";

/** A range of the journal, by the numbers of its entries. */
export interface JournalSpan {
  readonly start: number;
  /** First entry number after the range. */
  readonly end: number;
  /**
   * Entries that arrived before this time are skipped, even if their numbers are in the range because a clock was set
   * back. Milliseconds since the epoch.
   */
  readonly from: number;
}

type Rows = Answers["journal"];

/** Reads entries of the journal. The outcomes of the entries may be absent. */
export interface EntryReader {
  entries(query: Requests["journal"]): Promise<Answers["journal"]>;
}

/** Size of a page, in entry numbers. */
const PAGE = 1_000;

/** Returns the range of entries that arrived since `from`; with `limit`, at most the latest ones. */
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

/** Reads the entries of a range page by page, the oldest first. */
export async function* pagesOf(
  stored: EntryReader,
  { start, end, from }: JournalSpan,
  signal: AbortSignal,
): AsyncGenerator<readonly Entry[]> {
  let ahead: Promise<Rows> | undefined;
  for (let at = start; at < end && !signal.aborted; at += PAGE) {
    const rows = await (ahead ?? pageAt(stored, at, end));
    // the next page is read while the caller processes this page
    ahead = at + PAGE < end ? pageAt(stored, at + PAGE, end) : undefined;
    ahead?.catch(() => {});
    const entries = rows.filter(({ seq, arrivedAt }) => seq >= at && arrivedAt >= from);
    if (entries.length > 0) yield entries.toReversed();
  }
}

function pageAt(stored: EntryReader, at: number, end: number): Promise<Rows> {
  return stored.entries({ before: Math.min(end, at + PAGE), limit: PAGE });
}

/**
 * Returns the number of the first entry that arrived since `from`, by binary search: numbers rise with arrival times.
 */
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

/** Returns the number of the `limit`-th entry from the end. Numbers have gaps, since other records use them too. */
async function latest(
  stored: EntryReader,
  limit: number,
  start: number,
  end: number,
): Promise<number> {
  let before = end;
  for (let remaining = limit; remaining > 0 && before > start;) {
    const rows = await stored.entries({ before, limit: Math.min(remaining, PAGE) });
    const last = rows.at(-1);
    if (last === undefined) break;
    remaining -= rows.length;
    before = last.seq;
  }
  return before;
}
