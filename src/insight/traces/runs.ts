import { describeAction } from "../../actions/actions.ts";
import type { AccountEvent } from "../../events/event.ts";
import { decidedConditions } from "../words/decided-conditions.ts";
import {
  type JournalRun,
  type KeptRun,
  keptRun,
  type OutboxItem,
  ruleOf,
  stepAt,
  waitsOf,
} from "../kept-run.ts";
import { runInWords } from "../words/run.ts";
import { INVALID_ANSWER, type StepResult, allSteps, type Step } from "../../rules/run.ts";
import type { CompiledRule, Ruleset } from "../../rules/ruleset.ts";
import { ruleOrBotOf } from "../../runtime/records.ts";
import { resultOfSent, trunkOf } from "../../runtime/runs.ts";
import { RulePlaces } from "./rule-places.ts";
import type { TraceItem, TraceRun, TraceStep, TraceWait } from "./trace.ts";

/** Returns a run with its steps. @param event The event that started it. */
export function tracedRun(
  run: JournalRun,
  items: readonly OutboxItem[],
  { event, ruleset }: { readonly event: AccountEvent; readonly ruleset: Ruleset },
): TraceRun {
  const id = ruleOf(run);
  const inForce = id === undefined ? undefined : ruleset.byId.get(id);
  const rule = inForce?.revision === run.revision ? inForce : undefined;
  const trunk = trunkOf(run.id);
  const state = keptOf(run);
  return {
    id: run.id,
    owner: run.owner,
    ...(id === undefined ? { bot: ruleOrBotOf(run.owner).slice("bot:".length) } : { rule: id }),
    revision: run.revision,
    ruleChanged: id !== undefined && rule === undefined,
    status: run.status,
    inWords: runInWords(run, items),
    ...startOf(run),
    steps: state === undefined ? [] : stepsOf(run, state, items, rule),
    conditions: state === undefined ? [] : decidedConditions(run, event, rule),
    waitsFor: waits(run, state, rule),
    ...(trunk !== undefined && { branch: { name: state?.branch?.name ?? "", of: trunk } }),
  };
}

/** Returns the state of a rule's run; undefined for a bot's run. */
function keptOf(run: JournalRun): KeptRun | undefined {
  return ruleOf(run) === undefined ? undefined : keptRun(run);
}

function startOf({ body }: JournalRun): Pick<TraceRun, "startedAt"> {
  const { startedAt }: { readonly startedAt?: unknown } = JSON.parse(body);
  return typeof startedAt === "number" ? { startedAt } : {};
}

function stepsOf(
  run: JournalRun,
  state: KeptRun,
  items: readonly OutboxItem[],
  rule: CompiledRule | undefined,
): readonly TraceStep[] {
  const text = rule && new RulePlaces(rule);
  const steps = new Map(
    rule ? allSteps([...rule.actions, ...rule.onError]).map((step) => [step.label, step]) : [],
  );
  const about = (label: string): Pick<TraceStep, "label" | "verb" | "at"> => {
    const step: Step | undefined = steps.get(label);
    return {
      label,
      ...(step !== undefined && { verb: step.verb }),
      ...(text !== undefined && { at: text.spotOf(label) }),
    };
  };
  const questions = Object.keys(state.results).filter((label) => steps.get(label)?.listens);
  const ended = Object.entries(state.results).map(([label, result]): TraceStep => ({
    ...about(label),
    ...stateOf(result),
    ...sentBy(run, label, items, !questions.includes(label)),
    // a run stores the time of a person's answer for its latest question only
    ...(label === questions.at(-1) && wasHeard(result) && endOf(state)),
  }));
  if (state.ended !== undefined) return ended;
  const at = rule && stepAt(rule, state);
  if (at === undefined) return ended;
  const { label } = at;
  return [...ended, { ...about(label), state: "under-way", ...sentBy(run, label, items, false) }];
}

/** Returns whether the step's question ended with a person's answer, valid or not. */
function wasHeard(result: StepResult): boolean {
  return result.ok || result.error.code === INVALID_ANSWER;
}

function endOf({ heardAt }: KeptRun): Pick<TraceStep, "endedAt"> {
  return heardAt === undefined ? {} : { endedAt: heardAt };
}

function stateOf(result: StepResult): Pick<TraceStep, "state" | "result" | "error"> {
  if (!result.ok) return { state: "failed", error: result.error };
  return { state: "ok", ...(result.result !== null && { result: result.result }) };
}

/** Returns the ids of a step's outbox items, and the times between which they were sent. */
function sentBy(
  { id }: JournalRun,
  label: string,
  items: readonly OutboxItem[],
  isOver: boolean,
): Pick<TraceStep, "items" | "startedAt" | "endedAt"> {
  const own = items.filter(({ key }) => labelIn(key, id) === label);
  const started = own.flatMap(({ startedAt }) => startedAt ?? []);
  const settled = own.flatMap(({ settledAt }) => settledAt ?? []);
  return {
    items: own.map((item) => item.id),
    ...(started.length > 0 && { startedAt: Math.min(...started) }),
    ...(isOver && settled.length > 0 && { endedAt: Math.max(...settled) }),
  };
}

/** Returns the step label in an outbox item's key. The key consists of run, label, round and iteration. */
export function labelIn(key: string, run: string): string | undefined {
  if (!key.startsWith(`${run}/`)) return undefined;
  const label = key.slice(run.length + 1).replace(/(?:@[^#]*)?#[\d.]+$/, "");
  return label.replace(/\.part\[\d+\]$/, "");
}

function waits(
  run: JournalRun,
  state: KeptRun | undefined,
  rule: CompiledRule | undefined,
): readonly TraceWait[] {
  const until = run.waitsUntil === undefined ? {} : { until: run.waitsUntil };
  if (run.status === "ready") return [{ for: "effect", name: labelNow(state, rule) }];
  if (run.status !== "waiting") return [];
  if (state === undefined) {
    return waitsOf(run).map(({ kind, name }) => ({
      for: "bot",
      name: `${kind} ${name}`,
      ...until,
    }));
  }
  if (state.parallel !== undefined) {
    return state.parallel.open.map((name) => ({ for: "branch", name, ...until }));
  }
  const { waitsFor = "" } = run;
  if (run.listens === true) return [{ for: "person", name: labelNow(state, rule), ...until }];
  if (labelIn(waitsFor, run.id) === "turn") return [{ for: "turn", name: waitsFor, ...until }];
  if (run.waitsUntil !== undefined) return [{ for: "time", name: labelNow(state, rule), ...until }];
  return [{ for: "item", name: waitsFor }];
}

/** Returns the id or label of the current step. If the rule is unavailable, returns the step's position, or nothing. */
function labelNow(state: KeptRun | undefined, rule: CompiledRule | undefined): string {
  const step = state && rule && stepAt(rule, state);
  if (step !== undefined) return step.id ?? step.label;
  return (state?.position ?? [])
    .map((one) => (typeof one === "number" ? `[${one}]` : `.${one}`))
    .join("")
    .replace(/^\./, "");
}

/** Converts an outbox item to its form in a trace. @param handles Handles such as `@ana` by user id. */
export function tracedItem(item: OutboxItem, handles: ReadonlyMap<string, string>): TraceItem {
  const { id, key, run, action, status, attempts, notBefore } = item;
  const { reason, platformId, startedAt, settledAt } = item;
  return {
    id,
    key,
    run,
    type: action.type,
    inWords: describeAction(action, handles),
    ...("text" in action && typeof action.text === "string" && { text: action.text }),
    status,
    attempts,
    notBefore,
    ...(reason !== undefined && { reason }),
    ...(platformId !== undefined && { platformId }),
    ...(status === "sent" && { result: resultOfSent(item) }),
    ...(startedAt !== undefined && { startedAt }),
    ...(settledAt !== undefined && { settledAt }),
  };
}
