import type { Action, ActionOf } from "../../actions/actions.ts";
import type { Item } from "./item.ts";

/** Action for a later part of a text: a post that replies to the one another item creates, or a further message. */
export type FurtherPart = ActionOf<"reply_post" | "create_post" | "reply_dm"> & {
  readonly after: string;
};

/** Maximum number of items of one event that are read to find the parts of one text. */
export const MAX_ITEMS_OF_EVENT = 1_000;

/** Whether an action sends a later part of a text: a further post of a thread, or a further message. */
export function isFurtherPart(action: Action): action is FurtherPart {
  return "after" in action && action.after !== undefined;
}

/**
 * Returns the items of the parts of a text, in their order: posts of a thread, or messages.
 *
 * @param last Last item to return: the items before it are found from it.
 * @param items Items of the same event.
 */
export function itemsOfParts(last: Item, items: readonly Item[]): readonly Item[] {
  const before = isFurtherPart(last.action)
    ? itemBefore(last.account, last.action, items)
    : undefined;
  return before === undefined ? [last] : [...itemsOfParts(before, items), last];
}

/** Returns the item of the previous part. A post replies to the post of that item. */
export function itemBefore(
  account: string,
  { after }: FurtherPart,
  items: readonly Item[],
): Item | undefined {
  return items.find((one) => one.key === after && one.account === account);
}

/** Returns the platform's ids of the parts that are sent, in the order of {@link itemsOfParts}. */
export function idsOfParts(last: Item, items: readonly Item[]): readonly string[] {
  return itemsOfParts(last, items).flatMap(({ status, platformId }) =>
    status === "sent" ? (platformId ?? []) : [],
  );
}
