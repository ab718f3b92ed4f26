import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { ConversationScope } from "../../../events/conversation.ts";
import { isInbound, type Trigger, TRIGGER_FACTS, TRIGGERS } from "../../../events/triggers.ts";
import type { CompiledTrigger } from "../../ruleset.ts";
import type { RuleMap } from "../../file-schema/rule-file.ts";
import type { CompileContext } from "../compile-context.ts";
import { compileField } from "../condition.ts";
import { scopeOf } from "../../expression/scope.ts";
import { compileReached } from "./count-trigger.ts";
import { compileFound } from "./found-trigger.ts";
import { compileSchedule } from "./schedule-trigger.ts";

type TriggerMap = Exclude<RuleMap["triggers"][number], string>;

/**
 * Compiles the trigger at `path` of a rule. Problems go to the context.
 *
 * @param ids Current id and former ids of the rule, with the prefix from the `use` of its file.
 */
export function compileTrigger(
  context: CompileContext,
  path: Path,
  writtenTrigger: RuleMap["triggers"][number],
  ids: readonly string[],
): CompiledTrigger {
  const map: TriggerMap =
    typeof writtenTrigger === "object"
      ? writtenTrigger
      : { trigger: writtenTrigger, direction: "inbound" };
  const trigger = TRIGGERS.find((one) => one === map.trigger) ?? "dm.received";
  if (!isInbound(trigger) && map.direction === "inbound") {
    const message = `${trigger} is an action of the account itself, so it never occurs inbound`;
    const help = `write: {trigger: ${trigger}, direction: outbound}`;
    context.report(path, { code: "never-inbound", message, help });
  }
  const fields = Object.keys(map.match ?? {});
  const own = fields.length > 0 ? context.within(scopeOf([trigger])) : context;
  if (map.match && fields.length === 0) {
    context.report([...path, "match"], EMPTY_MATCH, "key");
  }
  const match = fields.flatMap(
    (field) => compileField(own, field, [...path, "match", field]) ?? [],
  );
  const { id } = map;
  const name = id === undefined ? { name: trigger } : { name: trigger, id };
  const reached = compileReached(context, path, trigger, map);
  const scheduled = compileSchedule(context, path, trigger, { ...map, ids });
  const search = compileFound(context, path, trigger, map);
  const { schedule } = scheduled;
  const { query } = search;
  return {
    trigger,
    name,
    direction: map.direction,
    scope: scopeAt(context, path, trigger, map.in),
    at: context.spot(typeof writtenTrigger === "object" ? [...path, "trigger"] : path),
    match: [...reached, ...scheduled.match, ...search.match, ...match],
    ...(schedule && { schedule }),
    ...(query !== undefined && { query }),
  };
}

/** Returns the kinds of conversations of a trigger. Reports `in` of a trigger that has no messages. */
function scopeAt(
  context: CompileContext,
  path: Path,
  trigger: Trigger,
  scope: ConversationScope = "private",
): ConversationScope {
  const isOfMessages = TRIGGER_FACTS[trigger].kind === "message";
  if (scope !== "private" && !isOfMessages) {
    const message = `"in" is only for dm.received and dm.sent, not for ${trigger}`;
    const help = "remove it: only messages have conversations";
    context.report([...path, "in"], { code: "unknown-key", message, help }, "key");
  }
  return scope;
}

const EMPTY_MATCH: Mistake = {
  code: "empty-condition",
  message: '"match" has no condition in it',
  help: "write  match: {message.text: {contains_word: hello}}  or remove it",
};
