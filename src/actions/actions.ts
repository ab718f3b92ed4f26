import * as z from "zod";
import type { AccountEvent } from "../events/event.ts";
import type { ActionKind, ActionSender, Echoed } from "./action-kind.ts";
import { createPost } from "./create-post.ts";
import { POST_VERBS } from "./post-verbs.ts";
import { quote } from "./quote.ts";
import { RELATION_ACTIONS } from "./relations.ts";
import { replyDm } from "./reply-dm.ts";
import { replyPost } from "./reply-post.ts";
import { reportConversion } from "./report-conversion.ts";

/** Every verb, as rules and bots write it. How it is performed: `EFFECTS` of the outbox. */
export const ACTIONS = {
  reply_dm: replyDm,
  reply_post: replyPost,
  create_post: createPost,
  quote,
  ...POST_VERBS,
  ...RELATION_ACTIONS,
  report_conversion: reportConversion,
};

type Kinds = typeof ACTIONS;

/** The name of an action, as rules and bots write it. */
export type ActionType = keyof Kinds;

/** The action of type `T`. */
export type ActionOf<T extends ActionType> = z.infer<Kinds[T]["schema"]>;

/** Something the bot does on the platform, as data: rules and bots give actions, the outbox sends them. */
export type Action = ActionOf<ActionType>;

/** The schema of all actions: by its `type`, what each must have. */
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

/** What there is to know of the verb `type`. */
export function actionKind(type: ActionType): ActionKind<Action> {
  return ACTIONS[type];
}

/**
 * What a person or a test reads of an action, in one line.
 *
 * @param handles `@handle` of people by their user ids: `message to @ana: hello`; of who is not in it the id is told.
 */
export function describeAction(
  action: Action,
  handles: ReadonlyMap<string, string> = new Map(),
): string {
  const text = `${actionKind(action.type).describe(action)}${withoutEffect(action)}`;
  const handle = "to" in action ? handles.get(action.to) : undefined;
  // whom it is for stands before what it says
  return handle === undefined || !("to" in action) ? text : text.replace(action.to, () => handle);
}

/** Mentions and links of other people in a text that is published, as far as they have no effect there. */
function withoutEffect(action: Action): string {
  if (!("brought" in action) || action.brought === undefined) return "";
  return action.thirdParties === "hold" ? "" : ` (without effect: ${action.brought.join(", ")})`;
}

/** `true` when doing the action twice is the same as doing it once. */
export function isRepeatable(action: Action): boolean {
  return actionKind(action.type).repeatable;
}

/** Id of the user to whom the action is done: decides its lane. */
export function concernedUser(action: Action): string {
  return action.to;
}

/** What the platform made of `action`, when `event` is how it came back. */
export function echoOf(
  event: AccountEvent,
  action: Action,
  sender: ActionSender,
): Echoed | undefined {
  return actionKind(action.type).echo.recognise(event, action, sender);
}

/** `true` when `word` is the name of an action. */
export function isActionType(word: string): word is ActionType {
  return Object.hasOwn(ACTIONS, word);
}
