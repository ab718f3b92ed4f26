import { compareIds } from "./ids.ts";

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
