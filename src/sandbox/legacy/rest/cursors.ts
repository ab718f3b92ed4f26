import { wireInt } from "../../rendering/events/wire.ts";
import { decodeCursor, type ListPage, type PageCursor } from "../../kernel/world/paging.ts";
import { badParameter } from "./coded-errors.ts";
import type { LegacyParameters } from "./parameters.ts";

/** Returns the cursors of the next and previous page, as numbers and as text. */
export function cursorsOf({ next, previous }: ListPage<unknown>): object {
  const [after, before] = [numberOf(next), numberOf(previous)];
  return {
    next_cursor: wireInt(after),
    next_cursor_str: after,
    previous_cursor: wireInt(before),
    previous_cursor_str: before,
    total_count: null,
  };
}

/**
 * Reads the requested cursor: `-1` is the first page, a positive number a next page, a negative number a previous page.
 */
export function cursorOf(params: LegacyParameters): PageCursor | undefined {
  const value = params.text("cursor") ?? "-1";
  if (value === "-1") return undefined;
  const [, sign, id] = /^(-?)(\d{1,19})$/.exec(value) ?? [];
  if (id === undefined) throw badParameter("cursor");
  return { direction: sign === "-" ? "newer" : "older", id };
}

/** Returns the cursor number for a page token; `0` if there is no such page. */
function numberOf(token: string | undefined): string {
  const cursor = token === undefined ? undefined : decodeCursor(token);
  if (cursor === undefined) return "0";
  return cursor.direction === "newer" ? `-${cursor.id}` : cursor.id;
}
