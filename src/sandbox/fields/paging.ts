/** A list that is paged, newest first. Positions are decimal ids. */
export interface Source<Item> {
  /** Items whose position is below `below`, or all, from the highest down. */
  down(below?: string): Iterable<Item>;
  /** Items whose position is above `above`, from the lowest up. */
  up(above: string): Iterable<Item>;
  orderOf(item: Item): string;
  /** Whether an item belongs into the list at all. */
  keep?(item: Item): boolean;
}

/** A stretch of a list with the tokens of its neighbours, where there are any. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
  readonly previous?: string;
}

/** Where a token points: to what is older than an id, or newer. */
export interface Place {
  readonly way: "older" | "newer";
  readonly than: string;
}

/** An opaque token. Clients hold it to be 16 characters or more. */
export function tokenOf({ way, than }: Place): string {
  return Buffer.from(`${way}:${than.padStart(19, "0")}`).toString("hex");
}

/** What a token says; nothing where the sandbox did not make it. */
export function readToken(token: string): Place | undefined {
  const text = Buffer.from(token, "hex").toString("latin1");
  const match = /^(older|newer):(\d{1,19})$/.exec(text);
  const than = match?.[2]?.replace(/^0+(?=\d)/, "");
  if (than === undefined) return undefined;
  return { way: match?.[1] === "newer" ? "newer" : "older", than };
}

/** The page of `size` items that a token points to, or the first. */
export function pageOf<Item>(
  source: Source<Item>,
  size: number,
  place: Place | undefined,
): Page<Item> {
  if (place?.way === "newer") return newerPage(source, size, place.than);
  const { items, more } = take(source, source.down(place?.than), size);
  const first = items[0];
  const last = items.at(-1);
  return {
    items,
    ...(more && last !== undefined
      ? { next: tokenOf({ way: "older", than: source.orderOf(last) }) }
      : {}),
    ...(place !== undefined && first !== undefined
      ? { previous: tokenOf({ way: "newer", than: source.orderOf(first) }) }
      : {}),
  };
}

function newerPage<Item>(source: Source<Item>, size: number, than: string): Page<Item> {
  const { items: rising, more } = take(source, source.up(than), size);
  const items = rising.toReversed();
  const first = items[0];
  const last = items.at(-1);
  return {
    items,
    ...(last === undefined ? {} : { next: tokenOf({ way: "older", than: source.orderOf(last) }) }),
    ...(more && first !== undefined
      ? { previous: tokenOf({ way: "newer", than: source.orderOf(first) }) }
      : {}),
  };
}

function take<Item>(
  source: Source<Item>,
  from: Iterable<Item>,
  size: number,
): { items: Item[]; more: boolean } {
  const items: Item[] = [];
  for (const item of from) {
    if (source.keep?.(item) === false) continue;
    if (items.length === size) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}

/** `result_count` and the tokens of a page, for `meta`. */
export function metaOf(page: Page<unknown>, shown = page.items.length): Record<string, unknown> {
  return {
    result_count: shown,
    ...(page.next === undefined ? {} : { next_token: page.next }),
    ...(page.previous === undefined ? {} : { previous_token: page.previous }),
  };
}
