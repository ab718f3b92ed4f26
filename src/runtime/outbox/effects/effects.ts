import type { Action, ActionOf, ActionType } from "../../../actions/actions.ts";
import { deleteMessage } from "./delete-message.ts";
import type { Effect, UnshownEffect } from "./effect.ts";
import { createPost, quote, replyPost } from "./own-posts.ts";
import { POST_EFFECTS } from "./post-verbs.ts";
import { RELATION_EFFECTS } from "./relations.ts";
import { replyDm } from "./reply-dm.ts";
import { reportConversion } from "./report-conversion.ts";

/** For each verb: its request, the search for its result on the platform, and its rate limits. */
export const EFFECTS = {
  reply_dm: replyDm,
  reply_post: replyPost,
  create_post: createPost,
  quote,
  ...POST_EFFECTS,
  delete_message: deleteMessage,
  ...RELATION_EFFECTS,
  report_conversion: reportConversion,
} satisfies {
  readonly [T in ActionType]: Effect<ActionOf<T>> | UnshownEffect<ActionOf<T>>;
};

/** Returns the request, the search for the result, and the rate limits of the verb `type`. */
export function effectOf(type: ActionType): Effect<Action> | UnshownEffect<Action> {
  return EFFECTS[type];
}
