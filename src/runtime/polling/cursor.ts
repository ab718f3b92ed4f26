import * as z from "zod";
import type { SetBack } from "../clock/clock.ts";

/** Progress of reading a list. Times are milliseconds since the epoch, by the platform's clock. */
export interface Cursor {
  /** Time at which polling of the list began. Earlier items are ignored. */
  readonly from: number;
  /** Time of the newest item read; equal to `from` before the first. */
  readonly at: number;
}

const cursor = z.object({ from: z.number(), at: z.number() });

/** Overlap of two reads in milliseconds, so that items that the platform shows late are not missed. */
const OVERLAP_MS = 2 * 60_000;

/** Creates a cursor that starts at `now`. */
export function cursorFrom(now: number): Cursor {
  return { from: now, at: now };
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
export function movedTo({ from, at }: Cursor, newest: number): Cursor {
  return { from, at: Math.max(at, newest) };
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

/** Loads the stored cursor of a list. If none is stored, stores and returns one that starts at `now`. */
export async function openCursor(
  memory: CursorMemory,
  { list, account, now }: { readonly list: string; readonly account: string; readonly now: number },
): Promise<Cursor> {
  const text = await memory.getMeta(nameOf(list, account));
  if (text !== undefined) return cursor.parse(JSON.parse(text));
  const fresh = cursorFrom(now);
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
