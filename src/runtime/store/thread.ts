import type { Action, ActionOf } from "../../actions/actions.ts";
import type { Item } from "./item.ts";

/** A further post of a thread: it answers the post that another item makes. */
export type FurtherPost = ActionOf<"reply_post" | "create_post"> & { readonly after: string };

/** Items of one event are read at once; no event has more. */
export const MAX_ITEMS_OF_EVENT = 1_000;

/** Whether an action is a further post of a thread. */
export function isFurtherPost(action: Action): action is FurtherPost {
  return "after" in action && action.after !== undefined;
}

/**
 * The items of a thread, the first one first.
 *
 * @param last The last item of the thread, or of the part of it that is wanted.
 * @param items Items of the same event.
 */
export function itemsOfThread(last: Item, items: readonly Item[]): readonly Item[] {
  const before = isFurtherPost(last.action)
    ? itemBefore(last.account, last.action, items)
    : undefined;
  return before === undefined ? [last] : [...itemsOfThread(before, items), last];
}

/** The item whose post a further post of a thread answers. */
export function itemBefore(
  account: string,
  { after }: FurtherPost,
  items: readonly Item[],
): Item | undefined {
  return items.find((one) => one.key === after && one.account === account);
}

/** Ids of the posts of a thread on the platform, as {@link itemsOfThread} gives its items. */
export function threadIds(last: Item, items: readonly Item[]): readonly string[] {
  return itemsOfThread(last, items).flatMap(({ platformId }) => platformId ?? []);
}
