import { wireInt } from "../../rendering/events/wire.ts";
import { decodeCursor, type ListPage, type PageCursor } from "../../kernel/world/paging.ts";
import { badParameter } from "./coded-errors.ts";
import type { LegacyParameters } from "./parameters.ts";

/** How to go on, as numbers and as text. */
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

/** `-1` is the first page; a number that goes on is positive, one that goes back negative. */
export function cursorOf(given: LegacyParameters): PageCursor | undefined {
  const value = given.text("cursor") ?? "-1";
  if (value === "-1") return undefined;
  const [, sign, id] = /^(-?)(\d{1,19})$/.exec(value) ?? [];
  if (id === undefined) throw badParameter("cursor");
  return { direction: sign === "-" ? "newer" : "older", id };
}

/** The number of a page's token; `0` where there is no such page. */
function numberOf(token: string | undefined): string {
  const cursor = token === undefined ? undefined : decodeCursor(token);
  if (cursor === undefined) return "0";
  return cursor.direction === "newer" ? `-${cursor.id}` : cursor.id;
}
