import { compareIds } from "./ids.ts";

/** A list that is paged, newest first. Positions are decimal ids. */
export interface PagedList<Item> {
  /** Returns the items whose position is below `below`, or all items, from the highest down. */
  descending(below?: string): Iterable<Item>;
  /** Returns the items whose position is above `above`, from the lowest up. */
  ascending(above: string): Iterable<Item>;
  orderOf(item: Item): string;
  /** Returns whether an item is shown. Pages skip all other items. Without this function, every item is shown. */
  keep?(item: Item): boolean;
}

/** A page of a list, with the tokens of the older page (`next`) and the newer page (`previous`) if they exist. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
  readonly previous?: string;
}

/** Size and position of a requested page. */
export interface PageRequest {
  readonly size: number;
  /** Position of the page; absent for the first page. */
  readonly cursor: PageCursor | undefined;
}

/** Allowed sizes of a page, and the default size. */
export interface PageSizes {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A position in a list: the items older or newer than an id. */
export interface PageCursor {
  readonly direction: "older" | "newer";
  readonly id: string;
}

/** Encodes a cursor as an opaque token. Clients expect 16 characters or more. */
export function encodeCursor({ direction, id }: PageCursor): string {
  return Buffer.from(`${direction}:${id.padStart(19, "0")}`).toString("hex");
}

/** Decodes the cursor of a token; `undefined` for a token that the sandbox did not issue. */
export function decodeCursor(token: string): PageCursor | undefined {
  const text = Buffer.from(token, "hex").toString("latin1");
  const match = /^(older|newer):(\d{1,19})$/.exec(text);
  const id = match?.[2]?.replace(/^0+(?=\d)/, "");
  if (id === undefined) return undefined;
  return { direction: match?.[1] === "newer" ? "newer" : "older", id };
}

/** Returns the requested page of a list. */
export function pageOf<Item>(list: PagedList<Item>, { size, cursor }: PageRequest): ListPage<Item> {
  if (cursor?.direction === "newer") return newerPage(list, size, cursor.id);
  const { items, more } = take(list, list.descending(cursor?.id), size);
  const first = items[0];
  const last = items.at(-1);
  return {
    items,
    ...(more && last !== undefined
      ? { next: encodeCursor({ direction: "older", id: list.orderOf(last) }) }
      : {}),
    ...(cursor !== undefined && first !== undefined
      ? { previous: encodeCursor({ direction: "newer", id: list.orderOf(first) }) }
      : {}),
  };
}

function newerPage<Item>(list: PagedList<Item>, size: number, id: string): ListPage<Item> {
  const { items: rising, more } = take(list, list.ascending(id), size);
  const items = rising.toReversed();
  const first = items[0];
  const last = items.at(-1);
  return {
    items,
    ...(last === undefined
      ? {}
      : { next: encodeCursor({ direction: "older", id: list.orderOf(last) }) }),
    ...(more && first !== undefined
      ? { previous: encodeCursor({ direction: "newer", id: list.orderOf(first) }) }
      : {}),
  };
}

function take<Item>(
  list: PagedList<Item>,
  from: Iterable<Item>,
  size: number,
): { items: Item[]; more: boolean } {
  const items: Item[] = [];
  for (const item of from) {
    if (list.keep?.(item) === false) continue;
    if (items.length === size) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}

/** Returns `result_count` and the tokens of a page, for `meta`. */
export function metaOf(
  page: ListPage<unknown>,
  count = page.items.length,
): Record<string, unknown> {
  return {
    result_count: count,
    ...(page.next === undefined ? {} : { next_token: page.next }),
    ...(page.previous === undefined ? {} : { previous_token: page.previous }),
  };
}

interface ListHead<Item> {
  readonly item: Item;
  readonly order: string;
  readonly rest: Iterator<Item>;
}

/**
 * Merges ordered lists; an item of several lists is returned once.
 *
 * @param direction 1 for lists that rise by `orderOf`, -1 for lists that fall.
 */
export function* merge<Item>(
  lists: readonly Iterable<Item>[],
  orderOf: (item: Item) => string,
  direction: 1 | -1,
): Generator<Item> {
  const heads: ListHead<Item>[] = [];
  const pull = (rest: Iterator<Item>): void => {
    const next = rest.next();
    if (next.done !== true) heads.push({ item: next.value, order: orderOf(next.value), rest });
  };
  for (const list of lists) pull(list[Symbol.iterator]());
  let last: string | undefined;
  while (heads.length > 0) {
    let best = 0;
    for (let at = 1; at < heads.length; at += 1) {
      if (compareIds(heads[at]?.order ?? "", heads[best]?.order ?? "") * direction < 0) best = at;
    }
    const [head] = heads.splice(best, 1);
    if (head === undefined) return;
    if (head.order !== last) yield head.item;
    last = head.order;
    pull(head.rest);
  }
}
