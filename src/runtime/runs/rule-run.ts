import type { CountReached } from "../../events/event.ts";
import {
  advance,
  settle,
  type Next,
  type StepTurn,
  isListening,
  callAt,
  type RunState,
} from "../../rules/run.ts";
import type { Json } from "../../protocol/json.ts";
import type { HttpRequest } from "../../rules/run/http-request.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import type { NewEscalation } from "../store/escalation.ts";
import type { RunStatus, RunWrite } from "../store/run.ts";
import type { RunEffect } from "./effect.ts";
import { beginBranches, waitForBranches } from "./parallel/begin-branches.ts";
import { escalationAt, escalationLine } from "./hand-over/escalation-at.ts";
import {
  type Interpretation,
  NOTHING,
  type RunLogLine,
  type WentOn,
  joined,
} from "./lane-event.ts";
import type { HiddenValue } from "../../system/secrets/secret-runs.ts";
import { stopRuns } from "./interpret/stop-runs.ts";
import { bodyOf } from "./kept-state.ts";
import type { Memory } from "./memory.ts";
import { deadlineKey, itemAt, type RunPlace, stepKey, storedAs, writeAt } from "./run-place.ts";

/** Data that a run of a rule may read besides its own state. */
export interface RuleRunContext {
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of the secrets that expressions use in calls or operations, so that only a part may be sent. */
  readonly takenApart: readonly string[];
  /** User state, as this transition sees it. */
  readonly memory: Memory;
  /** Returns the absolute path of a module that a rule file calls, from the path as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Finds the rule in use that has one of `ids`. */
  readonly ruleNamed: (ids: readonly string[]) => CompiledRule | undefined;
}

/**
 * Continues a run as far as possible without external input: to its end, or to a step that sends, calls or waits.
 * Branches that the run begins are continued, too. If the run is itself a branch, the caller handles what its end means
 * for the other branches.
 */
export function goOnAlone(
  from: RunState,
  rule: CompiledRule,
  place: RunPlace,
  context: RuleRunContext,
): WentOn {
  const logs: RunLogLine[] = [];
  const counted: CountReached[] = [];
  const escalations: NewEscalation[] = [];
  if (from.queuedUntil !== undefined) return queue(from, from.queuedUntil, place);
  if (from.startsAt !== undefined) return waitForTurn(from, from.startsAt, place);
  const { now, secrets, memory } = context;
  let state = begunAt(from, rule, now);
  for (;;) {
    const { run, next } = advance(state, rule, { now, secrets, read: memory.read });
    state = run;
    let value = resultNow(next);
    if (next.kind === "remember") {
      for (const value of next.writes) memory.write(value);
      if (next.counted) counted.push(next.counted);
    } else if (next.kind === "escalate") {
      const { path: label, handOver } = next;
      const details = { label, turn: next, event: state.event, now };
      const escalation = escalationAt(place, handOver, details);
      escalations.push(escalation);
      logs.push(escalationLine(escalation));
    } else if (next.kind === "branches") {
      const begin = (one: RunState, at: RunPlace) => goOnAlone(one, rule, at, context);
      const begun = beginBranches(state, next, { rule, place, begin });
      state = begun.state;
      logs.push(...begun.logs);
      counted.push(...begun.counted);
      escalations.push(...begun.escalations);
      if (state.parallel === undefined) continue;
      const stop = joined([waitForBranches(state, next, place), begun.waiting]);
      return { ...timed(stop, from, state, place), logs, counted, escalations };
    } else if (next.kind === "stop-runs") {
      value = stopRuns(next, { rule, event: state.event, place }, context);
    } else if (next.kind === "log") {
      logs.push({ level: next.level, fields: fieldsOf(state), message: next.message });
    } else {
      const stop = stopAt(
        state,
        withFile(next, callAt(rule, run)?.step.calls ?? rule, context),
        place,
        context,
      );
      const said = [...logs, ...stop.logs];
      const ended = state.ended === undefined ? {} : { ended: state };
      return { ...timed(stop, from, state, place), ...ended, logs: said, counted, escalations };
    }
    const people = next.kind === "remember" ? next.people : undefined;
    const result = { ok: true as const, result: value };
    state = settle(state, rule, people === undefined ? result : { ...result, people });
  }
}

/**
 * Sets the deadline when the run takes its first step. A branch gets no deadline: the deadline of the run that it
 * belongs to applies.
 */
function begunAt(state: RunState, { timeoutMs }: CompiledRule, now: number): RunState {
  if (state.branch !== undefined) return state;
  if (timeoutMs === undefined || state.deadline !== undefined || state.timedOut) return state;
  return { ...state, deadline: now + timeoutMs };
}

/** Adds the timer for the run's deadline once the deadline is set, and cancels it when the run has ended. */
function timed(
  stop: Interpretation,
  from: RunState,
  { deadline, ended }: RunState,
  place: RunPlace,
): Interpretation {
  const id = deadlineKey(place);
  if (ended && from.deadline !== undefined) {
    return { ...stop, cancelled: [...stop.cancelled, id] };
  }
  if (ended || deadline === undefined || from.deadline !== undefined) return stop;
  const timer = { id, run: place.id, lane: place.entry.lane, dueAt: deadline };
  return { ...stop, timers: [...stop.timers, timer] };
}

/** Makes the run wait until its concurrency slot has room: the store then makes its timer due. */
function queue(state: RunState, dueAt: number, place: RunPlace): WentOn {
  const id = stepKey(place, "turn");
  const run = writeAt(place, "waiting", bodyOf(state), { waitsFor: id, queues: true });
  return { ...waitUntil(dueAt, id, run), counted: [] };
}

/** Returns the result of a step that needs nothing from outside, such as `set` or `log`. */
function resultNow(next: Next): Json {
  if (next.kind === "log" && next.skips === true) return "skipped";
  return next.kind === "remember" ? (next.result ?? null) : null;
}

function waitForTurn(state: RunState, dueAt: number, place: RunPlace): WentOn {
  const id = stepKey(place, "limit");
  const run = writeAt(place, "waiting", bodyOf(state), { waitsFor: id });
  return { ...waitUntil(dueAt, id, run), counted: [] };
}

/** Resolves the path of an action's media relative to the rule file, because the outbox does not know rule files. */
function withFile<N extends Next>(
  next: N,
  { file }: Pick<CompiledRule, "file">,
  context: RuleRunContext,
): N {
  if (next.kind !== "action" || !("media" in next.action)) return next;
  const { media, ...action } = next.action;
  if (media === undefined) return next;
  return { ...next, action: { ...action, media: context.resolveModule(file, media) } };
}

/** Outcome of advancing a run that ends {@link goOnAlone}: the run has ended, or its step sends, waits or calls. */
type Stop = Exclude<Next, { kind: "log" | "remember" | "escalate" | "branches" | "stop-runs" }>;
type StopOf<Kind extends Stop["kind"]> = Extract<Stop, { kind: Kind }>;

/** Returns the writes and effects of a run that has ended, or that arrived at a step which sends, waits or calls. */
function stopAt(
  state: RunState,
  next: Stop,
  place: RunPlace,
  context: RuleRunContext,
): Interpretation {
  const write = (status: RunStatus, waitsFor?: string) =>
    writeAt(place, status, bodyOf(state), { waitsFor, listens: isListening(state) });
  switch (next.kind) {
    case "done": {
      const { outcome } = next.end;
      const run = write(outcome === "finished" ? "done" : outcome);
      return { ...NOTHING, runs: [run], logs: failureLines(state, next.end) };
    }
    case "action": {
      const { heardAt } = state;
      const turn = heardAt === undefined ? next : { ...next, heardAt };
      const item = itemAt(place, next.path, next.action, context.now, turn);
      return { ...NOTHING, runs: [write("waiting", item.key)], items: [item] };
    }
    case "timer": {
      const id = stepKey(place, next.path, next);
      return waitUntil(context.now + next.delayMs, id, write("waiting", id));
    }
    case "wait": {
      const id = stepKey(place, `${next.path}.within`, next);
      return waitUntil(next.until, id, write("waiting", id));
    }
    case "http": {
      const run = write("ready");
      return { ...NOTHING, runs: [run], effects: [requestEffect(next, run, place, context)] };
    }
    case "lookup": {
      const run = write("ready");
      const effect = lookupEffect(next, run, place);
      return { ...NOTHING, runs: [run], effects: [effect] };
    }
    case "call": {
      const run = write("ready");
      const effect = callEffect(next, run, { place, context, event: state.event });
      return { ...NOTHING, runs: [run], effects: [effect] };
    }
  }
}

/** Returns the line that logs a failed run. A failed branch is logged with the run that it belongs to. */
function failureLines(
  state: RunState,
  { outcome, reason }: StopOf<"done">["end"],
): readonly RunLogLine[] {
  if (outcome !== "failed" || state.branch !== undefined) return [];
  return [{ level: "warn", fields: { ...fieldsOf(state), reason }, message: "run failed" }];
}

function waitUntil(dueAt: number, id: string, run: RunWrite): Interpretation {
  return { ...NOTHING, runs: [run], timers: [{ id, run: run.id, lane: run.lane, dueAt }] };
}

function requestEffect(
  next: StopOf<"http">,
  run: RunWrite,
  place: RunPlace,
  context: RuleRunContext,
): RunEffect {
  const { request, timeoutMs, once } = next;
  return {
    kind: "http",
    run: storedAs(run, place),
    entry: place.entry,
    request: withKey(request, place, next),
    secrets: hiddenValues(context),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(once && { once: stepKey(place, next.path, next) }),
  };
}

function lookupEffect(
  { lookup, timeoutMs }: StopOf<"lookup">,
  run: RunWrite,
  place: RunPlace,
): RunEffect {
  const effect = { kind: "lookup", run: storedAs(run, place), entry: place.entry, lookup } as const;
  return timeoutMs === undefined ? effect : { ...effect, timeoutMs };
}

function callEffect(
  { file, module, export: name, with: input, timeoutMs }: StopOf<"call">,
  run: RunWrite,
  {
    place,
    context,
    event,
  }: Pick<RunState, "event"> & { readonly place: RunPlace; readonly context: RuleRunContext },
): RunEffect {
  const target = { module: context.resolveModule(file, module), export: name };
  const call = { ...target, input, event, hidden: hiddenValues(context) };
  return {
    kind: "call",
    run: storedAs(run, place),
    entry: place.entry,
    call: timeoutMs === undefined ? call : { ...call, timeoutMs },
  };
}

/** Returns the rule's secrets, which have to be hidden in outcomes that repeat them. */
function hiddenValues({ secrets, takenApart }: RuleRunContext): readonly HiddenValue[] {
  return Object.entries(secrets).map(([name, value]) => ({
    value,
    isTakenApart: takenApart.includes(name),
  }));
}

/** Adds an idempotency key to the request, which may be sent again after a failure or a crash. */
function withKey(
  request: HttpRequest,
  { id, entry }: RunPlace,
  { path, round, iteration = 1 }: { readonly path: string } & StepTurn,
): HttpRequest {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const key = `${entry.account}/${entry.key}/${stepKey({ id }, path, { iteration, ...(round !== undefined && { round }) })}`;
  return { ...request, headers: { "idempotency-key": key, ...request.headers } };
}

function fieldsOf({ ruleId, event }: RunState): Readonly<Record<string, unknown>> {
  return { rule: ruleId, event: event.key };
}
