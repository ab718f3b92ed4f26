import type { ResultFields } from "../../actions/action-result.ts";
import { actionKind, isActionType } from "../../actions/actions.ts";
import { ask } from "./ask.ts";
import { call } from "./call.ts";
import { createPost } from "./platform/create-post.ts";
import { count } from "./count.ts";
import { delay } from "./delay.ts";
import { delayUntil } from "./delay-until.ts";
import { escalate } from "./escalate.ts";
import { http } from "./http.ts";
import { increment } from "./increment.ts";
import { label } from "./label.ts";
import { lookup } from "./lookup.ts";
import { log } from "./log.ts";
import { deleteMessage } from "./platform/delete-message.ts";
import { ON_PERSON } from "./platform/on-person.ts";
import { ON_POST } from "./platform/on-post.ts";
import { parallel } from "./parallel.ts";
import { quote } from "./platform/quote.ts";
import { reply } from "./platform/reply.ts";
import { replyDm } from "./platform/reply-dm.ts";
import { replyPost } from "./platform/reply-post.ts";
import { repeat } from "./repeat.ts";
import { reportConversion } from "./platform/report-conversion.ts";
import { run } from "./run.ts";
import { set } from "./set.ts";
import { stop } from "./stop.ts";
import { stopRun } from "./stop-run.ts";
import type { StepKind } from "./step-kind.ts";
import { waitFor } from "./wait-for.ts";
import { typing } from "./platform/typing.ts";

/** All verbs of the rule language. The step without a verb is in `branch.ts`. */
export const STEPS: Readonly<Record<string, StepKind>> = {
  reply,
  reply_dm: replyDm,
  reply_post: replyPost,
  create_post: createPost,
  quote,
  ...ON_POST,
  delete_message: deleteMessage,
  ...ON_PERSON,
  report_conversion: reportConversion,
  typing,
  set,
  increment,
  label,
  count,
  http,
  lookup,
  call,
  escalate,
  delay,
  delay_until: delayUntil,
  ask,
  wait_for: waitFor,
  repeat,
  parallel,
  run,
  log,
  stop,
  stop_run: stopRun,
};

/** Returns the fields of the result of a step's action; undefined for a verb without an action. */
export function resultFieldsOf(verb: string | undefined): ResultFields | undefined {
  if (verb === undefined) return undefined;
  return isActionType(verb) ? actionKind(verb).result.fields : STEPS[verb]?.result;
}

/** Verbs as written in rules. */
export const VERBS: readonly string[] = Object.keys(STEPS);

/** Verbs that may be written alone, as a word in place of a map. */
export const BARE_VERBS: readonly string[] = VERBS.filter((verb) => STEPS[verb]?.bare);
