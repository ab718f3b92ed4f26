import { call } from "./call.ts";
import { delay } from "./delay.ts";
import { follow } from "./follow.ts";
import { like } from "./like.ts";
import { log } from "./log.ts";
import { replyDm } from "./reply-dm.ts";
import { replyPost } from "./reply-post.ts";
import { stop } from "./stop.ts";
import type { StepKind } from "./step-kind.ts";

/** Every verb of the rule language. The step without one is `branch.ts`. */
export const STEPS: Readonly<Record<string, StepKind>> = {
  reply_dm: replyDm,
  reply_post: replyPost,
  like,
  follow,
  call,
  delay,
  log,
  stop,
};

/** The verbs, as rules write them. */
export const VERBS: readonly string[] = Object.keys(STEPS);

/** Verbs that may stand alone, as a word in place of a map. */
export const BARE_VERBS: readonly string[] = VERBS.filter((verb) => STEPS[verb]?.bare);
