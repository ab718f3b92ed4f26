import * as z from "zod";
import type { SetBack } from "../clock/clock.ts";

/** Progress of reading a list. Times are milliseconds since the epoch, by the platform's clock. */
export interface Cursor {
  /** Time at which polling of the list began. Earlier items are ignored. */
  readonly from: number;
  /** Time of the newest item read; equal to `from` before the first. */
  readonly at: number;
  /**
   * Link of the account for which the list was read: `linkedSince` of the account, 0 if it has none. A cursor of an
   * earlier link is not used, because the account was not linked for a while.
   */
  readonly link: number;
}

// Cursors of earlier versions have no link.
const cursor = z.object({ from: z.number(), at: z.number(), link: z.number().default(0) });

/** Overlap of two reads in milliseconds, so that items that the platform shows late are not missed. */
const OVERLAP_MS = 2 * 60_000;

/** Creates a cursor of a link that starts at `now`. */
export function cursorFrom(now: number, link: number): Cursor {
  return { from: now, at: now, link };
}

/**
 * Returns the earliest time that the next read has to cover. While the clock shows again the time in which the newest
 * item was read, that is the time to which the clock was set back.
 */
export function floorOf({ from, at }: Cursor, setBacks: readonly SetBack[] = []): number {
  const repeated = setBacks.filter(({ was, to }) => to < at && at <= was);
  return Math.min(Math.max(from, at - OVERLAP_MS), ...repeated.map(({ to }) => to));
}

/** Advances the cursor to `newest`, once everything up to that time is in the journal. */
export function movedTo(before: Cursor, newest: number): Cursor {
  return { ...before, at: Math.max(before.at, newest) };
}

/** Durable key-value memory, which the store provides. */
export interface CursorMemory {
  getMeta(name: string): Promise<string | undefined>;
  setMeta(name: string, value: string): Promise<void>;
}

/** Returns the name under which the cursor of an account's list is stored. */
function nameOf(list: string, account: string): string {
  return `polling/${list}/${account}`;
}

/** List of an account to read, from `now` on if it has not been read for this link. */
interface ListToRead {
  readonly list: string;
  readonly account: string;
  readonly link: number;
  readonly now: number;
}

/** Loads the stored cursor of a list. If none is stored for this link, stores and returns one that starts at `now`. */
export async function openCursor(
  memory: CursorMemory,
  { list, account, link, now }: ListToRead,
): Promise<Cursor> {
  const text = await memory.getMeta(nameOf(list, account));
  const stored = text === undefined ? undefined : cursor.parse(JSON.parse(text));
  if (stored?.link === link) return stored;
  const fresh = cursorFrom(now, link);
  await keepCursor(memory, { list, account, cursor: fresh });
  return fresh;
}

/** Stores a cursor; resolves once it is on disk. */
export async function keepCursor(
  memory: CursorMemory,
  position: { readonly list: string; readonly account: string; readonly cursor: Cursor },
): Promise<void> {
  await memory.setMeta(nameOf(position.list, position.account), JSON.stringify(position.cursor));
}
