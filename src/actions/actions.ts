import * as z from "zod";
import type { AccountEvent } from "../events/event.ts";
import type { ActionKind, ActionSender, Echoed } from "./action-kind.ts";
import type { ActionResult, PerformedAs } from "./action-result.ts";
import { createPost } from "./create-post.ts";
import { deleteMessage } from "./delete-message.ts";
import { POST_VERBS } from "./post-verbs.ts";
import { quote } from "./quote.ts";
import { RELATION_ACTIONS } from "./relations.ts";
import { replyDm } from "./reply-dm.ts";
import { replyPost } from "./reply-post.ts";
import { reportConversion } from "./report-conversion.ts";

/** All verbs, by their names in rules and bots. The outbox sends them: see its `EFFECTS`. */
export const ACTIONS = {
  reply_dm: replyDm,
  reply_post: replyPost,
  create_post: createPost,
  quote,
  ...POST_VERBS,
  delete_message: deleteMessage,
  ...RELATION_ACTIONS,
  report_conversion: reportConversion,
};

type Kinds = typeof ACTIONS;

/** The name of an action, as rules and bots write it. */
export type ActionType = keyof Kinds;

/** The action of type `T`. */
export type ActionOf<T extends ActionType> = z.infer<Kinds[T]["schema"]>;

/** An action of the bot on the platform, as data. Rules and bots produce actions, the outbox sends them. */
export type Action = ActionOf<ActionType>;

/** Schema of all actions, chosen by `type`. */
export const actionSchema: z.ZodType<Action> = z
  .looseObject({ type: z.string().refine(isActionType, { error: namesOfVerbs }) })
  .transform((value, { issues }) => {
    const checked = actionKind(value.type).schema.safeParse(value);
    if (checked.success) return checked.data;
    for (const { message, path } of checked.error.issues) {
      issues.push({ code: "custom", message, path, input: value });
    }
    return z.NEVER;
  });

function namesOfVerbs({ input }: { readonly input?: unknown }): string {
  return `${JSON.stringify(input)} is not an action; write one of: ${Object.keys(ACTIONS).join(", ")}`;
}

/** Properties of the verb `type`. */
export function actionKind(type: ActionType): ActionKind<Action> {
  return ACTIONS[type];
}

/**
 * Describes an action in one line, for people and tests.
 *
 * @param handles `@handle` by user id, as in `message to @ana: hello`. People without an entry appear by their id.
 */
export function describeAction(
  action: Action,
  handles: ReadonlyMap<string, string> = new Map(),
): string {
  const to = "to" in action ? (handles.get(action.to) ?? action.to) : "";
  return `${actionKind(action.type).describe(action, to)}${withoutEffect(action)}`;
}

/** Returns a note about other people's mentions and links that were made inert: ` (without effect: @ana)`. */
function withoutEffect(action: Action): string {
  if (!("brought" in action) || action.brought === undefined) return "";
  return action.thirdParties === "hold" ? "" : ` (without effect: ${action.brought.join(", ")})`;
}

/** Whether the action is idempotent. */
export function isRepeatable(action: Action): boolean {
  return actionKind(action.type).repeatable;
}

/** Returns the user id of the action's field `to`, which determines the lane (ordering key). */
export function concernedUser(action: Action): string {
  return action.to;
}

/** Returns the result of `action` if `event` is its echo, else undefined. */
export function echoOf(
  event: AccountEvent,
  action: Action,
  sender: ActionSender,
): Echoed | undefined {
  return actionKind(action.type).echo.recognise(event, action, sender);
}

/** Returns the fields of an action's result that need no response of the platform. */
export function knownResult(action: Action, performed: PerformedAs): ActionResult {
  return actionKind(action.type).result.of(action, performed);
}

/** Returns a complete result with typical values, for tests and dry runs, in which the platform does not respond. */
export function usualResult(action: Action, performed: PerformedAs): ActionResult {
  const { usual = {} } = actionKind(action.type).result;
  return { ...knownResult(action, performed), ...usual };
}

/** Whether `word` is the name of an action. */
export function isActionType(word: string): word is ActionType {
  return Object.hasOwn(ACTIONS, word);
}
