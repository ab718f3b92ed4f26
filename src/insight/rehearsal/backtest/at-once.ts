import { describeAction } from "../../../actions/actions.ts";
import { partsOf } from "../../../actions/parts.ts";
import type { AccountEvent } from "../../../events/event.ts";
import { decide } from "../../../rules/decide.ts";
import type { StateChange } from "../../../rules/decide.ts";
import type { ReadState } from "../../../rules/evaluate.ts";
import { advance, settle } from "../../../rules/run.ts";
import type { RunState } from "../../../rules/run.ts";
import type { CompiledRule, Ruleset } from "../../../rules/ruleset.ts";
import { runId } from "../../../runtime/records.ts";
import { isLate, ownerOfRun, stepKey } from "../../../runtime/runs.ts";
import type { Entry } from "../../../runtime/vocabulary.ts";
import type { RuleOutput } from "./entry-answers.ts";
import { idOnPlatform } from "./platform-ids.ts";

/** Result of an event whose runs all end immediately. */
export interface AtOnce {
  /** Output of the event's runs, in order. */
  readonly outgoing: readonly RuleOutput[];
  /** Writes of cooldowns and limits that the event caused. */
  readonly changes: readonly StateChange[];
}

/** Data on which the decision about the event is based. */
export interface AtOnceContext {
  readonly now: number;
  readonly username: string | undefined;
  readonly read: ReadState;
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
}

/**
 * Returns the result of an event whose runs only send and end. Most events are of this kind, and need no store. The
 * lane (conversation) of the event must have no waiting runs, and no silences (pauses of rules after a hand-over).
 *
 * @returns `undefined` if a run does more. Nothing has changed then, and the caller has to use the interpreter.
 */
export function atOnce(
  event: AccountEvent,
  entry: Entry,
  ruleset: Ruleset,
  context: AtOnceContext,
): AtOnce | undefined {
  const { now, username, read } = context;
  const decision = decide(event, ruleset, { now, replayed: isLate(entry), username, read });
  if (decision.runs.length === 0 && decision.changes.length === 0) return NOTHING;
  if (decision.overflows.length > 0) return undefined;
  const outgoing: RuleOutput[] = [];
  for (const run of decision.runs) {
    const rule = ruleset.byId.get(run.ruleId);
    const said = rule && walk(run, rule, entry, context);
    if (said === undefined) return undefined;
    outgoing.push(...said);
  }
  return { outgoing, changes: decision.changes };
}

const NOTHING: AtOnce = { outgoing: [], changes: [] };

/**
 * Returns the output of a run that ends at once if the platform accepts all its actions; `undefined` for any other run.
 */
function walk(
  from: RunState,
  rule: CompiledRule,
  entry: Entry,
  { now, read, secretsOf }: AtOnceContext,
): readonly RuleOutput[] | undefined {
  if (from.slot !== undefined || from.startsAt !== undefined) return undefined;
  const said: RuleOutput[] = [];
  const secrets = secretsOf(rule);
  let state = from;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const { run, next } = advance(state, rule, { now, secrets, read });
    if (next.kind === "done") return said;
    if (next.kind === "log") {
      const result = next.skips === true ? "skipped" : null;
      state = settle(run, rule, { ok: true, result });
    } else if (next.kind === "action" && !("media" in next.action)) {
      for (const part of partsOf(next.action)) {
        const what = describeAction(part);
        said.push({ rule: from.ruleId, what, step: next.path, to: part.to });
      }
      const place = { id: runId(entry.seq, ownerOfRun(rule, run.event)) };
      const result = idOnPlatform(stepKey(place, next.path, next));
      state = settle(run, rule, { ok: true, result });
    } else return undefined;
  }
  return undefined;
}

/** Maximum number of steps of a run without the interpreter. */
const MAX_STEPS = 50;
