import type { LoadedBot } from "../../bots/messages.ts";
import type { AccountEvent } from "../../events/event.ts";
import { cooldownKey } from "../../rules/decide/cooldown.ts";
import { decide } from "../../rules/decide/decide.ts";
import type { Decision } from "../../rules/decide/decision.ts";
import type { Json } from "../../protocol/json.ts";
import type { StepResult } from "../../rules/run/run-state.ts";
import { answers } from "../../rules/run/step.ts";
import type { CompiledRule, Ruleset } from "../../rules/ruleset.ts";
import type { Entry } from "../store/entry.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import type { StateValue, StateWrite } from "../store/transition.ts";
import {
  type BotLeft,
  type BotRunContext,
  endBotRun,
  handleAgain,
  startBotRun,
  triggersFor,
} from "./bot-run.ts";
import { eventOf, isLate, type ReadEntry } from "./entry-event.ts";
import { type Interpretation, type LaneEvent, NOTHING } from "./lane-event.ts";
import { notLinked } from "./not-linked.ts";
import { type ReplyLimits, withLimits } from "./reply-limits.ts";
import type { RuleArchive } from "./rule-archive.ts";
import {
  goOn,
  isRuleRun,
  ownerOf,
  readState,
  resultOfCall,
  resultOfItem,
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
  /** The rules that decide on events. */
  readonly ruleset: Ruleset;
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
    return limited(await followed(happened, needs), happened.entry, needs);
  };
}

async function followed(happened: LaneEvent, needs: InterpreterNeeds): Promise<Interpretation> {
  switch (happened.kind) {
    case "event":
      return onEvent(happened.entry, needs);
    case "item-settled":
      return ruleGoesOn(happened, needs, resultOfItem(happened.item));
    case "timer-due":
      return ruleGoesOn(happened, needs, { ok: true, result: null });
    case "run-ready":
      return isRuleRun(happened.run) ? ruleGoesOn(happened, needs) : botAgain(happened, needs);
    case "effect-settled": {
      const { run, entry, outcome } = happened;
      if (outcome.kind === "called") return ruleGoesOn(happened, needs, resultOfCall(outcome));
      return endBotRun(run, entry, outcome, needs.now());
    }
  }
}

/** Whatever queues an answer, it counts for the limits of its account. */
function limited(
  interpretation: Interpretation,
  entry: Entry,
  { limitsOf, isLinked }: InterpreterNeeds,
): Interpretation {
  if (interpretation.items.length === 0 || limitsOf === undefined) return interpretation;
  const limits = limitsOf(entry.account);
  const items = interpretation.items.map((item) =>
    withLimits(item, entry, { limits, isOwn: isLinked(item.action.to) }),
  );
  return { ...interpretation, items };
}

async function onEvent(entry: Entry, needs: InterpreterNeeds): Promise<Interpretation> {
  const event = readEvent(entry, needs);
  const { ruleset } = needs;
  const now = needs.now();
  const keys = stateKeys(ruleset, event);
  // Most events read no state: no need to go to the store's thread and back for nothing.
  const state = keys.length === 0 ? NO_STATE : await needs.store.load(keys);
  const decision = decide(event, ruleset, {
    now,
    replayed: isLate(entry),
    read: (key) => valueOf(state.get(key), now),
  });
  const rules = await startRules(decision, entry, needs);
  const answered = rules.some(({ answers }) => answers);
  const context = { ...needs, now };
  const left: BotLeft[] = [];
  const bots = needs.bots().flatMap((bot) => {
    const { triggers, tooOld } = triggersFor(bot, event, now);
    if (tooOld !== undefined) left.push(tooOld);
    if (triggers.length === 0) return [];
    return [startBotRun(bot, { triggers, answered }, { event, entry }, context)];
  });
  return {
    ...joined([...rules.map(({ interpretation }) => interpretation), ...bots]),
    decision: {
      revision: decision.revision,
      verdicts: decision.verdicts,
      ...(left.length > 0 && { bots: left }),
    },
    state: decision.changes.map(({ key, value, expiresAt }): StateWrite => {
      const version = state.get(key)?.version ?? 0;
      return { key, value: JSON.stringify(value), version, expiresAt };
    }),
  };
}

const NO_STATE: ReadonlyMap<string, StateValue> = new Map();

function readEvent(entry: Entry, { eventOf: read = eventOf }: InterpreterNeeds): AccountEvent {
  return read(entry);
}

interface StartedRule {
  readonly interpretation: Interpretation;
  /** It has queued an answer, or is at work on one. */
  readonly answers: boolean;
}

async function startRules(
  { runs }: Decision,
  entry: Entry,
  needs: InterpreterNeeds,
): Promise<readonly StartedRule[]> {
  const started: StartedRule[] = [];
  for (const run of runs) {
    const rule = needs.ruleset.byId.get(run.ruleId);
    if (rule === undefined) continue;
    const place = newPlace(entry, ownerOf(rule.id), run.revision);
    const interpretation = goOn(run, rule, place, contextOf(rule, needs));
    started.push({
      interpretation: await withSource(interpretation, rule, needs),
      answers: isOpen(interpretation) && answers(rule.actions),
    });
  }
  return started;
}

/** Takes a rule's run on; one whose rule can't be had any more fails, and says why. */
async function ruleGoesOn(
  { run, entry }: RunAndEntry,
  needs: InterpreterNeeds,
  result?: StepResult,
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
  const state = readState(run, readEvent(entry, needs));
  const interpretation = goOn(state, rule, place, contextOf(rule, needs), result);
  // A run that is as it was only needs its effect again.
  return result === undefined
    ? { ...NOTHING, effects: again(interpretation, run.version) }
    : interpretation;
}

/** The effects of a run that is kept already: what would be kept for them is there. */
function again({ effects }: Interpretation, version: number): Interpretation["effects"] {
  return effects.map((effect) => ({ ...effect, run: { ...effect.run, version } }));
}

function botAgain({ run, entry }: RunAndEntry, needs: InterpreterNeeds): Interpretation {
  return handleAgain(run, readEvent(entry, needs), entry, { ...needs, now: needs.now() });
}

function contextOf(rule: CompiledRule, needs: InterpreterNeeds): RuleRunContext {
  const { resolveModule, secretsOf, now } = needs;
  return { now: now(), secrets: secretsOf(rule), resolveModule };
}

/** An open run's rule must be there after a restart with other rules. */
async function withSource(
  interpretation: Interpretation,
  rule: CompiledRule,
  { archive, now }: InterpreterNeeds,
): Promise<Interpretation> {
  const source = isOpen(interpretation) ? archive.toKeep(rule, now()) : undefined;
  return source === undefined ? interpretation : { ...interpretation, sources: [source] };
}

/** Whether the run has not ended: what it sends is on its way, or it waits or calls. */
function isOpen({ runs }: Interpretation): boolean {
  return runs.some(({ status }) => status === "ready" || status === "waiting");
}

/** User state that the rules may read for this event. */
function stateKeys(ruleset: Ruleset, event: AccountEvent): string[] {
  return ruleset
    .candidates(event.triggers)
    .flatMap(({ id, cooldown }) => (cooldown ? [cooldownKey(id, cooldown.per, event)] : []));
}

/** A value of user state that has not expired. */
function valueOf(found: StateValue | undefined, now: number): Json | undefined {
  if (found === undefined || (found.expiresAt !== undefined && now >= found.expiresAt)) {
    return undefined;
  }
  const value: Json = JSON.parse(found.value);
  return value;
}

function joined(parts: readonly Interpretation[]): Interpretation {
  return {
    runs: parts.flatMap(({ runs }) => runs),
    timers: parts.flatMap(({ timers }) => timers),
    sources: parts.flatMap(({ sources }) => sources),
    state: parts.flatMap(({ state }) => state),
    items: parts.flatMap(({ items }) => items),
    effects: parts.flatMap(({ effects }) => effects),
    logs: parts.flatMap(({ logs }) => logs),
  };
}
