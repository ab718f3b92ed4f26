import type { LoadedBot } from "../../bots/messages.ts";
import type { AccountEvent, CountReached } from "../../events/event.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import { decide, matching, settleCooldowns, stateKeys } from "../../rules/decide/decide.ts";
import type { Decision } from "../../rules/decide/decision.ts";
import { keyOf } from "../../rules/decide/state-keys.ts";
import type { Json } from "../../protocol/json.ts";
import { settle } from "../../rules/run/advance.ts";
import { timeUp } from "../../rules/run/listen.ts";
import type { RunState, StepResult } from "../../rules/run/run-state.ts";
import { answers } from "../../rules/run/step.ts";
import type { CompiledRule, Ruleset } from "../../rules/ruleset.ts";
import type { Entry } from "../store/entry.ts";
import type { RuleSource, RunAndEntry } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import {
  type BotLeft,
  type BotRunContext,
  endBotRun,
  handleAgain,
  startBotRun,
  triggersFor,
} from "./bot-run.ts";
import { eventOf, isLate, type ReadEntry } from "./entry-event.ts";
import { inSlices } from "./in-slices.ts";
import { type Interpretation, type KeptDecision, type LaneEvent, NOTHING } from "./lane-event.ts";
import { interruptsOf, offerTo } from "./listeners.ts";
import { type Memory, remembering } from "./memory.ts";
import { notLinked } from "./not-linked.ts";
import { type ReplyLimits, withLimits } from "./reply-limits.ts";
import type { RuleArchive } from "./rule-archive.ts";
import {
  goOn,
  isRuleRun,
  ownerOf,
  readState,
  resultOfCall,
  reachedBy,
  resultOfItem,
  resultOfRequest,
  type RuleRunContext,
} from "./rule-run.ts";
import { newPlace, placeOf, writeAt } from "./run-place.ts";

/** What the interpreter works with. */
export interface InterpreterNeeds
  extends Pick<RuleRunContext, "resolveModule">, Pick<BotRunContext, "usernameOf"> {
  /** Whether the account is linked here now, be it that its tokens don't work: a revoked one goes on later. */
  readonly isLinked: (account: string) => boolean;
  /** What an account may answer before its answers are held back; no limits unless given. */
  readonly limitsOf?: (account: string) => ReplyLimits;
  /** Values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
  /** The rules that decide on events now. */
  readonly ruleset: () => Ruleset;
  /** The bots that are loaded. */
  readonly bots: () => readonly LoadedBot[];
  readonly store: Pick<DecidePort, "load">;
  /** Reads the event of an entry; each time anew unless given. */
  readonly eventOf?: ReadEntry;
  /** The rules that runs go by, also those of earlier revisions. */
  readonly archive: RuleArchive;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
}

/** The same for one thing that happened: it is decided by one ruleset, whatever is saved meanwhile. */
interface Needs extends Omit<InterpreterNeeds, "ruleset"> {
  readonly ruleset: Ruleset;
}

/** Says what follows from something that happened in a lane. Changes nothing itself. */
export type Interpret = (happened: LaneEvent) => Promise<Interpretation>;

/**
 * The one interpreter of lanes: rules decide on events and start runs, runs go on by what they waited
 * for, and each time everything that follows is given back at once, to be kept in one transaction.
 */
export function interpreter(needs: InterpreterNeeds): Interpret {
  return async (happened) => {
    // What belongs to the webhook itself is no account's: the end of a replay job.
    const { account } = happened.entry;
    if (account !== "" && !needs.isLinked(account)) return notLinked(happened);
    const now = { ...needs, ruleset: needs.ruleset() };
    return limited(await followed(happened, now), happened.entry, now);
  };
}

async function followed(happened: LaneEvent, needs: Needs): Promise<Interpretation> {
  switch (happened.kind) {
    case "event":
      return onEvent(happened, needs);
    case "item-settled":
      // A run that was answered before its question had settled is further on.
      if (happened.run.waitsFor !== happened.item.key) return NOTHING;
      return ruleGoesOn(happened, needs, settledBy(resultOfItem(happened.item)));
    case "timer-due":
      if (happened.run.waitsFor !== happened.timer.id) return NOTHING;
      return ruleGoesOn(happened, needs, timeUp);
    case "run-ready":
      return isRuleRun(happened.run) ? ruleGoesOn(happened, needs) : botAgain(happened, needs);
    case "effect-settled": {
      const { run, entry, outcome } = happened;
      if (outcome.kind === "called") {
        return ruleGoesOn(happened, needs, settledBy(resultOfCall(outcome)));
      }
      if (outcome.kind === "requested") {
        return ruleGoesOn(happened, needs, settledBy(resultOfRequest(outcome.result)));
      }
      return endBotRun(run, entry, outcome, needs.now());
    }
  }
}

/** Whatever queues an answer, it counts for the limits of its account. */
function limited(
  interpretation: Interpretation,
  entry: Entry,
  { limitsOf, isLinked }: Needs,
): Interpretation {
  if (interpretation.items.length === 0 || limitsOf === undefined) return interpretation;
  const limits = limitsOf(entry.account);
  const items = interpretation.items.map((item) =>
    withLimits(item, entry, { limits, isOwn: isLinked(item.action.to) }),
  );
  return { ...interpretation, items };
}

type HappenedEvent = Extract<LaneEvent, { readonly kind: "event" }>;

/** What follows from an event, and the rules whose runs have not ended. */
interface Followed<Kind extends Interpretation = Interpretation> {
  readonly interpretation: Kind;
  readonly open: readonly CompiledRule[];
}

async function onEvent({ entry, listeners }: HappenedEvent, needs: Needs): Promise<Interpretation> {
  const event = readEvent(entry, needs);
  const { interpretation, open } = await remembering(needs.store, needs.now(), (memory) =>
    decided({ event, entry, memory }, listeners, needs),
  );
  return { ...interpretation, sources: open.flatMap((rule) => sourceOf(rule, needs)) };
}

/** An event, with what is known when it is decided on. */
interface AtHand {
  readonly event: AccountEvent;
  readonly entry: Entry;
  readonly memory: Memory;
}

async function decided(
  hand: AtHand,
  listeners: HappenedEvent["listeners"],
  needs: Needs,
): Promise<Followed> {
  const { event, entry, memory } = hand;
  if (listeners.length === 0) return byRules(hand, needs.ruleset, needs);
  // Who says STOP or HUMAN is not answering a question; what that alone would keep is not kept.
  const apart = memory.apart();
  const interrupted = await byRules({ ...hand, memory: apart }, interruptsOf(needs.ruleset), needs);
  if (interrupted.interpretation.decision.ran.length > 0)
    return byRules(hand, needs.ruleset, needs);
  const taken = await offerTo(listeners, event, {
    archive: needs.archive,
    eventOf: (one) => readEvent(one, needs),
    contextOf: (rule) => contextOf(rule, memory, needs),
  });
  if (taken === undefined) return byRules(hand, needs.ruleset, needs);
  const { run, rule, interpretation } = taken;
  if (needs.ruleset.remembersPeople) meet(event, memory);
  const counting = { event: readEvent(taken.entry, needs), entry: taken.entry, memory };
  const reached = followCounts(counting, [interpretation], needs);
  const { bots, left } = startBots(event, entry, true, needs);
  const { decision, said } = interrupted.interpretation;
  const started = reached.started.map((one) => one.interpretation);
  return {
    interpretation: {
      ...joined([interpretation, ...started, ...bots]),
      decision: { ...decision, takenBy: run.id, ...(left.length > 0 && { bots: left }) },
      said,
      state: memory.writes(),
    },
    open: [...(isOpen(interpretation) ? [rule] : []), ...openRules(reached.started)],
  };
}

interface ByRules extends Interpretation {
  readonly decision: KeptDecision;
  readonly said: Decision;
}

/** What the rules say of an event. */
async function byRules(hand: AtHand, ruleset: Ruleset, needs: Needs): Promise<Followed<ByRules>> {
  const { event, entry, memory } = hand;
  const now = needs.now();
  const found: Record<string, Json> = {};
  const read = (key: string): Json | undefined => {
    const value = memory.read(key);
    if (value !== undefined) found[key] = value;
    return value;
  };
  const context = { now, replayed: isLate(entry), read };
  const matched = await inSlices(matching(event, ruleset, context));
  // Most events read no state: no need to go to the store's thread and back for nothing.
  await memory.load(stateKeys(matched));
  const decision = settleCooldowns(matched, read);
  if (needs.ruleset.remembersPeople) meet(event, memory);
  for (const change of decision.changes) memory.write(change);
  const started = startRules(decision, entry, memory, needs);
  const reached = followCounts(hand, started, needs);
  const rules = [...started, ...reached.started];
  const answered = rules.some(({ answers }) => answers);
  const { bots, left } = startBots(event, entry, answered, needs);
  const interpretation = {
    ...joined([...rules.map((one) => one.interpretation), ...bots]),
    decision: {
      revision: decision.revision,
      ran: [...decision.runs.map(({ ruleId }) => ruleId), ...reached.ran],
      now,
      ...(Object.keys(found).length > 0 && { read: found }),
      ...(left.length > 0 && { bots: left }),
    },
    said: decision,
    state: memory.writes(),
  };
  return { interpretation, open: openRules(rules) };
}

function startBots(
  event: AccountEvent,
  entry: Entry,
  answered: boolean,
  needs: Needs,
): { readonly bots: readonly Interpretation[]; readonly left: readonly BotLeft[] } {
  const now = needs.now();
  const context = { ...needs, now };
  const left: BotLeft[] = [];
  const bots = needs.bots().flatMap((bot) => {
    const { triggers, tooOld } = triggersFor(bot, event, now);
    if (tooOld !== undefined) left.push(tooOld);
    if (triggers.length === 0) return [];
    return [startBotRun(bot, { triggers, answered }, { event, entry }, context)];
  });
  return { bots, left };
}

function readEvent(entry: Entry, { eventOf: read = eventOf }: Needs): AccountEvent {
  return read(entry);
}

/** The rules whose runs have not ended. */
function openRules(started: readonly StartedRule[]): readonly CompiledRule[] {
  return started.flatMap(({ rule, isOpen: open }) => (open ? [rule] : []));
}

/** A person is met once, by whatever they do first. */
function meet(event: AccountEvent, memory: Memory): void {
  if (event.direction === "outbound" || counterpartOf(event) === undefined) return;
  const key = keyOf({ kind: "met" }, event);
  if (memory.read(key) === undefined) memory.write({ key, value: event.key });
}

/** The rules that start since others have counted, and those that start since these have counted. */
function followCounts(
  { event, entry, memory }: AtHand,
  counting: readonly Pick<StartedRule, "counted">[],
  needs: Needs,
): { readonly started: readonly StartedRule[]; readonly ran: readonly string[] } {
  const started: StartedRule[] = [];
  const ran: string[] = [];
  // A count rises with each step that counts, so it comes to a number once, and this to an end.
  for (let left = counting.flatMap(({ counted }) => counted); left.length > 0;) {
    const [count, ...rest] = left;
    left = rest;
    if (count === undefined || needs.ruleset.candidates(["count.reached"]).length === 0) continue;
    const { read } = memory;
    const decision = decide(reachedBy(event, count), needs.ruleset, { now: needs.now(), read });
    for (const change of decision.changes) memory.write(change);
    const next = startRules(decision, entry, memory, needs);
    ran.push(...decision.runs.map(({ ruleId }) => ruleId));
    started.push(...next);
    left = [...left, ...next.flatMap(({ counted }) => counted)];
  }
  return { started, ran };
}

interface StartedRule {
  /** What its run has counted. */
  readonly counted: readonly CountReached[];
  readonly rule: CompiledRule;
  readonly isOpen: boolean;
  readonly interpretation: Interpretation;
  /** It has queued an answer, or is at work on one. */
  readonly answers: boolean;
}

function startRules(
  { runs }: Decision,
  entry: Entry,
  memory: Memory,
  needs: Needs,
): readonly StartedRule[] {
  const started: StartedRule[] = [];
  for (const run of runs) {
    const rule = needs.ruleset.byId.get(run.ruleId);
    if (rule === undefined) continue;
    const place = newPlace(entry, ownerOf(rule.id), run.revision);
    // What the rule's steps may read is read at once.
    for (const use of rule.usesState) memory.read(keyOf(use, run.event));
    const interpretation = goOn(run, rule, place, contextOf(rule, memory, needs));
    const open = isOpen(interpretation);
    const { counted } = interpretation;
    const isAnswering = open && answers(rule.actions);
    started.push({ rule, interpretation, counted, isOpen: open, answers: isAnswering });
  }
  return started;
}

/** What has become of the step that a run waited for. */
type Ended = (state: RunState, rule: CompiledRule) => RunState;

function settledBy(result: StepResult): Ended {
  return (state, rule) => settle(state, rule, result);
}

/** Takes a rule's run on; one whose rule can't be had any more fails, and says why. */
async function ruleGoesOn(
  { run, entry }: RunAndEntry,
  needs: Needs,
  ended?: Ended,
): Promise<Interpretation> {
  const place = placeOf(run, entry);
  const rule = await needs.archive.find(run.revision);
  if (rule === undefined) {
    const reason = `the rule's revision ${run.revision} is neither in use nor kept`;
    const state = {
      ...readState(run, readEvent(entry, needs)),
      ended: { outcome: "failed", reason },
    };
    const fields = { run: run.id, event: entry.key, reason };
    return {
      ...NOTHING,
      runs: [writeAt(place, "failed", JSON.stringify({ ...state, event: undefined }))],
      logs: [{ level: "error", fields, message: "run failed" }],
    };
  }
  const event = readEvent(entry, needs);
  const state = readState(run, event);
  const { startsAt, ...begun } = state;
  // Of a run that waited for its turn, no step has been begun.
  const from = startsAt !== undefined ? begun : ended === undefined ? state : ended(state, rule);
  const { interpretation, open } = await remembering(needs.store, needs.now(), async (memory) => {
    await memory.load(rule.usesState.map((use) => keyOf(use, state.event)));
    const next = goOn(from, rule, place, contextOf(rule, memory, needs));
    const { started } = followCounts({ event, entry, memory }, [next], needs);
    const all = joined([next, ...started.map((one) => one.interpretation)]);
    return { interpretation: { ...all, state: memory.writes() }, open: openRules(started) };
  });
  // A run that is as it was only needs its effect again.
  return ended === undefined
    ? { ...NOTHING, effects: again(interpretation, run.version) }
    : { ...interpretation, sources: open.flatMap((one) => sourceOf(one, needs)) };
}

/** The effects of a run that is kept already: what would be kept for them is there. */
function again({ effects }: Interpretation, version: number): Interpretation["effects"] {
  return effects.map((effect) => ({ ...effect, run: { ...effect.run, version } }));
}

function botAgain({ run, entry }: RunAndEntry, needs: Needs): Interpretation {
  return handleAgain(run, readEvent(entry, needs), entry, { ...needs, now: needs.now() });
}

function contextOf(rule: CompiledRule, memory: Memory, needs: Needs): RuleRunContext {
  const { resolveModule, secretsOf, now } = needs;
  return { now: now(), secrets: secretsOf(rule), memory, resolveModule };
}

/** An open run's rule must be there after a restart with other rules. */
function sourceOf(rule: CompiledRule, { archive, now }: Needs): readonly RuleSource[] {
  const source = archive.toKeep(rule, now());
  return source === undefined ? [] : [source];
}

/** Whether the run has not ended: what it sends is on its way, or it waits or calls. */
function isOpen({ runs }: Interpretation): boolean {
  return runs.some(({ status }) => status === "ready" || status === "waiting");
}

function joined(parts: readonly Interpretation[]): Interpretation {
  return {
    runs: parts.flatMap(({ runs }) => runs),
    timers: parts.flatMap(({ timers }) => timers),
    cancelled: parts.flatMap(({ cancelled }) => cancelled),
    sources: parts.flatMap(({ sources }) => sources),
    state: parts.flatMap(({ state }) => state),
    items: parts.flatMap(({ items }) => items),
    effects: parts.flatMap(({ effects }) => effects),
    logs: parts.flatMap(({ logs }) => logs),
  };
}
