import type { Action, ActionOf, ActionType } from "../../../actions/actions.ts";
import type { Effect, UnshownEffect } from "./effect.ts";
import { createPost, quote, replyPost, repost } from "./own-posts.ts";
import { like } from "./like.ts";
import { block, follow, mute, unfollow } from "./relations.ts";
import { replyDm } from "./reply-dm.ts";
import { reportConversion } from "./report-conversion.ts";

/** Request, search for the result, and limits of every verb. */
export const EFFECTS = {
  reply_dm: replyDm,
  reply_post: replyPost,
  create_post: createPost,
  quote,
  repost,
  like,
  follow,
  unfollow,
  block,
  mute,
  report_conversion: reportConversion,
} satisfies {
  readonly [T in ActionType]: Effect<ActionOf<T>> | UnshownEffect<ActionOf<T>>;
};

/** Returns the request, the search for the result, and the limits of the verb `type`. */
export function effectOf(type: ActionType): Effect<Action> | UnshownEffect<Action> {
  return EFFECTS[type];
}
