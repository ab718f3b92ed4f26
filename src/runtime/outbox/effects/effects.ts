import type { Action, ActionOf, ActionType } from "../../../actions/actions.ts";
import type { Effect } from "./effect.ts";
import { follow } from "./follow.ts";
import { like } from "./like.ts";
import { replyDm } from "./reply-dm.ts";
import { replyPost } from "./reply-post.ts";

/** Every verb: how it is performed, found again, and limited. */
export const EFFECTS: { readonly [T in ActionType]: Effect<ActionOf<T>> } = {
  reply_dm: replyDm,
  reply_post: replyPost,
  like,
  follow,
};

/** How the verb `type` is performed, found again, and limited. */
export function effectOf(type: ActionType): Effect<Action> {
  return EFFECTS[type];
}
