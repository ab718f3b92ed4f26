import type { KeptWait, ThrownError } from "../../../bots/durable/record.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { Json } from "../../../protocol/json.ts";
import { compile } from "../../../rules/compile.ts";
import { type CompiledCondition, Evaluation, type ReadState } from "../../../rules/evaluate.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import { isInTime } from "../../../rules/run.ts";

/** Returns the rule compiler's errors about the conditions of a wait; undefined when they are valid. */
export function mistakeInWhere(wait: KeptWait): ThrownError | undefined {
  if (wait.kind === "sleep" || wait.where === undefined) return undefined;
  const { mistakes } = compiledWhere(wait.trigger, wait.where);
  if (mistakes.length === 0) return undefined;
  const call = `the where of "${wait.name}"`;
  return { name: "TypeError", message: `${call} can't be: ${mistakes.join("; ")}` };
}

/**
 * Whether a wait takes an event: the trigger matches, the event came in time and the conditions hold.
 *
 * @param read Reads the user state that the conditions use.
 */
export function takes(wait: KeptWait, event: AccountEvent, now: number, read: ReadState): boolean {
  if (wait.kind === "sleep" || wait.since === undefined) return false;
  const { trigger, where, since, until } = wait;
  if (event.direction !== "inbound" || !event.triggers.includes(trigger)) return false;
  if (!isInTime(event, { since, ...(until !== undefined && { until }) })) return false;
  if (where === undefined) return true;
  const { conditions, usesState } = compiledWhere(trigger, where);
  const evaluation = new Evaluation(event, now, read);
  evaluation.expose(usesState);
  const name = { name: trigger };
  return conditions.every((one) => one.test(evaluation, name) === undefined);
}

interface Where extends Pick<CompiledRule, "usesState"> {
  readonly conditions: readonly CompiledCondition[];
  readonly mistakes: readonly string[];
}

/**
 * Maximum number of cached conditions. A bot has few different conditions, unless it builds them from data that it
 * reads.
 */
const MAX_CACHED = 256;
const atHand = new Map<string, Where>();

/** Compiles the conditions of a wait in the same way as those of a rule's `wait_for` step. */
function compiledWhere(trigger: string, where: Json): Where {
  const conditions = JSON.stringify(Array.isArray(where) ? where : [where]);
  const key = `${trigger} ${conditions}`;
  const cached = atHand.get(key);
  if (cached !== undefined) return cached;
  const step = `{wait_for: {trigger: ${trigger}, conditions: ${conditions}, within: 1d}}`;
  const rule = `{id: where, group: none, triggers: [dm.received], actions: [${step}]}`;
  const { ruleset, problems } = compile([
    { path: "where", text: `{version: 1, rules: [${rule}]}` },
  ]);
  const [compiled] = ruleset.rules;
  const result: Where = {
    conditions: compiled?.actions[0]?.listens?.conditions ?? [],
    usesState: compiled?.usesState ?? [],
    mistakes: problems
      .filter(({ severity }) => severity === "error")
      .map(({ message, help }) => (help === undefined ? message : `${message} (${help})`)),
  };
  if (atHand.size >= MAX_CACHED) atHand.clear();
  atHand.set(key, result);
  return result;
}
