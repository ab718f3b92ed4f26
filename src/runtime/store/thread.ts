import type { Action, ActionOf } from "../../actions/actions.ts";
import type { Item } from "./item.ts";

/** Action for a later post of a thread: it replies to the post that another item creates. */
export type FurtherPost = ActionOf<"reply_post" | "create_post"> & { readonly after: string };

/** Maximum number of items of one event that are read to find those of a thread. */
export const MAX_ITEMS_OF_EVENT = 1_000;

/** Whether an action creates a later post of a thread. */
export function isFurtherPost(action: Action): action is FurtherPost {
  return "after" in action && action.after !== undefined;
}

/**
 * Returns the items of a thread of posts, in the order of the posts.
 *
 * @param last Last item to return: the items before it in the thread are found from it.
 * @param items Items of the same event.
 */
export function itemsOfThread(last: Item, items: readonly Item[]): readonly Item[] {
  const before = isFurtherPost(last.action)
    ? itemBefore(last.account, last.action, items)
    : undefined;
  return before === undefined ? [last] : [...itemsOfThread(before, items), last];
}

/** Returns the item of the previous post in the thread, to which the action's post replies. */
export function itemBefore(
  account: string,
  { after }: FurtherPost,
  items: readonly Item[],
): Item | undefined {
  return items.find((one) => one.key === after && one.account === account);
}

/** Returns the platform's ids of a thread's posts, in the order of {@link itemsOfThread}. */
export function threadIds(last: Item, items: readonly Item[]): readonly string[] {
  return itemsOfThread(last, items).flatMap(({ platformId }) => platformId ?? []);
}
