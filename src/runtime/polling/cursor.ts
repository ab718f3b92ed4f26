import * as z from "zod";

/** How far a list was read. Times are ms since the epoch, by the platform's clock. */
export interface Cursor {
  /** Where reading began: nothing earlier is taken in. */
  readonly from: number;
  /** The newest that was taken in; as `from` while nothing was. */
  readonly at: number;
}

const cursor = z.object({ from: z.number(), at: z.number() });

/** What the platform shows late still comes: so much before the newest is read again each time. */
const OVERLAP_MS = 2 * 60_000;

/** A list as it is read from `now` on. */
export function cursorFrom(now: number): Cursor {
  return { from: now, at: now };
}

/** The earliest time that is still to be read. */
export function floorOf({ from, at }: Cursor): number {
  return Math.max(from, at - OVERLAP_MS);
}

/** The cursor once everything up to `at` is in the journal. */
export function movedTo({ from, at }: Cursor, newest: number): Cursor {
  return { from, at: Math.max(at, newest) };
}

/** Keeps texts by name, durably: the store's. */
export interface CursorMemory {
  getMeta(name: string): Promise<string | undefined>;
  setMeta(name: string, value: string): Promise<void>;
}

/** The name under which the cursor of an account's list is kept. */
function nameOf(list: string, account: string): string {
  return `polling/${list}/${account}`;
}

/** The cursor that is kept; without one, reading starts at `now`, which is kept at once. */
export async function openCursor(
  memory: CursorMemory,
  { list, account, now }: { readonly list: string; readonly account: string; readonly now: number },
): Promise<Cursor> {
  const kept = await memory.getMeta(nameOf(list, account));
  if (kept !== undefined) return cursor.parse(JSON.parse(kept));
  const fresh = cursorFrom(now);
  await keepCursor(memory, { list, account, cursor: fresh });
  return fresh;
}

/** Keeps a cursor; on disk when it resolves. */
export async function keepCursor(
  memory: CursorMemory,
  kept: { readonly list: string; readonly account: string; readonly cursor: Cursor },
): Promise<void> {
  await memory.setMeta(nameOf(kept.list, kept.account), JSON.stringify(kept.cursor));
}
