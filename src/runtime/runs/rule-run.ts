import type { AccountEvent } from "../../events/event.ts";
import { advance, settle, type Next } from "../../rules/run/advance.ts";
import type { RunState, StepResult } from "../../rules/run/run-state.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import type { Item } from "../store/item.ts";
import type { RunStatus, StoredRun } from "../store/run.ts";
import type { EffectOutcome } from "./effect.ts";
import { type Interpretation, NOTHING, type RunLogLine } from "./lane-event.ts";
import { itemAt, type RunPlace, stepKey, storedAs, writeAt } from "./run-place.ts";

/** What a run of a rule may look at besides its own state. */
export interface RuleRunContext {
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  readonly secrets: Readonly<Record<string, string>>;
  /** Absolute path of a module that a rule file calls, as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
}

const OWNER = "rule:";

/** The owner of a rule's runs. */
export function ownerOf(ruleId: string): string {
  return `${OWNER}${ruleId}`;
}

/** Whether a rule owns the run; else a bot does. */
export function isRuleRun({ owner }: Pick<StoredRun, "owner">): boolean {
  return owner.startsWith(OWNER);
}

/** What is kept of a run between two transitions; its event is the entry that started it. */
type KeptState = Omit<RunState, "event" | "ruleId" | "revision">;

/** The state of a run that was read from the store. */
export function readState(run: StoredRun, event: AccountEvent): RunState {
  const kept: KeptState = JSON.parse(run.body);
  return { ...kept, event, ruleId: run.owner.slice(OWNER.length), revision: run.revision };
}

/** How the step ended that sent `item`. */
export function resultOfItem({ status, platformId, reason }: Item): StepResult {
  if (status === "sent") return { ok: true, result: platformId ?? null };
  const message = reason ?? "the platform did not take it";
  return { ok: false, error: { code: `send-${status}`, message } };
}

/** How the step ended that called a module. */
export function resultOfCall({ result }: Extract<EffectOutcome, { kind: "called" }>): StepResult {
  if (result.ok) return { ok: true, result: result.value };
  return { ok: false, error: { code: "call-failed", message: result.error } };
}

/**
 * Ends the step that the run waited for and goes on as far as it can without anything from outside: to
 * its end, or to a step that sends, calls or waits.
 *
 * @param result How that step ended; absent for a run that begins, or whose step is to be tried again.
 */
export function goOn(
  from: RunState,
  rule: CompiledRule,
  place: RunPlace,
  context: RuleRunContext,
  result?: StepResult,
): Interpretation {
  const logs: RunLogLine[] = [];
  let state = result === undefined ? from : settle(from, rule, result);
  for (;;) {
    const { run, next } = advance(state, rule, context);
    state = run;
    if (next.kind !== "log") {
      const stop = stopAt(state, next, place, context);
      return { ...stop, logs: [...logs, ...stop.logs] };
    }
    logs.push({ level: next.level, fields: fieldsOf(state), message: next.message });
    state = settle(state, rule, { ok: true, result: null });
  }
}

/** What is kept and done where the run can't go on by itself. */
function stopAt(
  state: RunState,
  next: Exclude<Next, { kind: "log" }>,
  place: RunPlace,
  context: RuleRunContext,
): Interpretation {
  const write = (status: RunStatus, waitsFor?: string) =>
    writeAt(place, status, bodyOf(state), waitsFor);
  switch (next.kind) {
    case "done": {
      const { outcome, reason } = next.end;
      const run = write(outcome === "finished" ? "done" : outcome);
      const fields = { ...fieldsOf(state), reason };
      const logs =
        outcome === "failed" ? [{ level: "warn" as const, fields, message: "run failed" }] : [];
      return { ...NOTHING, runs: [run], logs };
    }
    case "action": {
      const item = itemAt(place, next.path, next.action, context.now);
      return { ...NOTHING, runs: [write("waiting", item.key)], items: [item] };
    }
    case "timer": {
      const id = stepKey(place, next.path);
      const run = write("waiting", id);
      const timer = { id, run: run.id, lane: run.lane, dueAt: context.now + next.delayMs };
      return { ...NOTHING, runs: [run], timers: [timer] };
    }
    case "call": {
      const run = write("ready");
      const { file, module, export: name, with: input, timeoutMs } = next;
      const target = { module: context.resolveModule(file, module), export: name };
      const call = { ...target, input, event: state.event };
      return {
        ...NOTHING,
        runs: [run],
        effects: [
          {
            kind: "call",
            run: storedAs(run, place),
            entry: place.entry,
            call: timeoutMs === undefined ? call : { ...call, timeoutMs },
          },
        ],
      };
    }
  }
}

function bodyOf({ event, ruleId, revision, ...kept }: RunState): string {
  return JSON.stringify(kept satisfies KeptState);
}

function fieldsOf({ ruleId, event }: RunState): Readonly<Record<string, unknown>> {
  return { rule: ruleId, event: event.key };
}
