import type { AccountEvent } from "../../events/event.ts";
import { isCancelled, offer, type Offered, type RefusedAnswer } from "../../rules/run.ts";
import { makeRuleset, type Ruleset, type CompiledRule } from "../../rules/ruleset.ts";
import type { RunAndEntry } from "../store/run.ts";
import type { ReadEntry } from "./entry-event.ts";
import { placeOf, isRuleRun, ruleIdOf } from "./run-place.ts";
import type { RuleArchive } from "./rule-archive.ts";
import { goOn } from "./parallel/go-on.ts";
import { readState } from "./kept-state.ts";
import type { WentOn } from "./lane-event.ts";
import type { RuleRunContext } from "./rule-run.ts";

export interface OfferNeeds {
  readonly archive: RuleArchive;
  readonly eventOf: ReadEntry;
  /** Whether open runs of the rule have to end because the rule was changed or removed. */
  readonly isOutdated: (rule: CompiledRule) => boolean;
  readonly contextOf: (rule: CompiledRule) => RuleRunContext;
  /** Whether the run may act now: a hand-over to a person may have silenced it. */
  readonly mayTake: (run: RunAndEntry["run"], rule?: CompiledRule) => boolean;
  /** Offers the event to a bot's run that waits for events. Returns undefined if the event fits none of its waits. */
  readonly offerToHandler: (pair: RunAndEntry) => WentOn | undefined;
}

/** Run that took an event, and what follows from the event. */
export interface Taken {
  readonly run: RunAndEntry["run"];
  readonly entry: RunAndEntry["entry"];
  /** Rule of the run; absent if a bot owns the run. */
  readonly rule?: CompiledRule;
  readonly interpretation: WentOn;
  /** Refusal, if the run rejected the event as an answer to its question. */
  readonly refused?: RefusedAnswer;
}

/** Result of offering an event to waiting runs. */
export interface Offers {
  /** Absent: no run took the event. */
  readonly taker?: Taken;
  /** Runs that would have taken the event, but are silent because of a hand-over. The person answers no question now. */
  readonly silent: readonly RunAndEntry[];
}

/**
 * Offers an event to the runs of its lane that wait for an event, the latest first, until a run takes the event. A run
 * that refuses the answer gets it only if the event is no expected answer to an earlier question either.
 */
export async function offerTo(
  listeners: readonly RunAndEntry[],
  event: AccountEvent,
  { archive, eventOf, isOutdated, contextOf, mayTake, offerToHandler }: OfferNeeds,
): Promise<Offers> {
  const silent: RunAndEntry[] = [];
  let refusing: (() => Taken) | undefined;
  for (const { run, entry } of listeners) {
    if (!isRuleRun(run)) {
      if (refusing !== undefined) continue;
      const interpretation = offerToHandler({ run, entry });
      if (interpretation === undefined) continue;
      if (mayTake(run)) return { taker: { run, entry, interpretation }, silent };
      silent.push({ run, entry });
      continue;
    }
    const rule = await archive.find(run.revision);
    if (rule === undefined || isOutdated(rule)) continue;
    const context = contextOf(rule);
    const offered = offer(
      readState(run, eventOf(entry)),
      rule,
      event,
      context.now,
      context.memory.read,
    );
    if (offered === undefined) continue;
    if (!mayTake(run, rule)) {
      silent.push({ run, entry });
      continue;
    }
    if (refusing !== undefined && offered.isExpected !== true) continue;
    const take = (): Taken => takenBy({ run, entry }, rule, offered, context);
    if (offered.refused === undefined) return { taker: take(), silent };
    refusing = take;
  }
  return refusing === undefined ? { silent } : { taker: refusing(), silent };
}

/** Returns what follows from an event for the run that takes it. */
function takenBy(
  { run, entry }: RunAndEntry,
  rule: CompiledRule,
  { run: state, refused }: Offered,
  context: RuleRunContext,
): Taken {
  const interpretation = goOn(state, rule, placeOf(run, entry), context);
  const { waitsFor } = run;
  // Cancels the run's timer. If `waitsFor` is the key of an item instead, the item stays queued.
  const cancelled = waitsFor === undefined ? [] : [waitsFor];
  const all = [...interpretation.cancelled, ...cancelled];
  const taker = { run, entry, rule, interpretation: { ...interpretation, cancelled: all } };
  return { ...taker, ...(refused !== undefined && { refused }) };
}

/** Returns the waiting runs that the person cancels with this event, by an answer listed in `cancel_on`. */
export async function cancelledBy(
  listeners: readonly RunAndEntry[],
  event: AccountEvent,
  { archive, eventOf, contextOf }: Pick<OfferNeeds, "archive" | "eventOf" | "contextOf">,
): Promise<readonly RunAndEntry[]> {
  const cancelled: RunAndEntry[] = [];
  for (const pair of listeners) {
    const { run, entry } = pair;
    const rule = isRuleRun(run) ? await archive.find(run.revision) : undefined;
    if (rule === undefined) continue;
    const { now, memory } = contextOf(rule);
    if (isCancelled(readState(run, eventOf(entry)), rule, event, now, memory.read)) {
      cancelled.push(pair);
    }
  }
  return cancelled;
}

/** Returns the rule that had this id when its run began; the rule may have been renamed since. */
function ruleNow(id: string, { byId, rules }: Ruleset): CompiledRule | undefined {
  return byId.get(id) ?? rules.find(({ formerly }) => formerly.includes(id));
}

const interrupting = new WeakMap<Ruleset, Map<string, Ruleset>>();

/**
 * Returns the rules that get an event before the listening runs: rules that interrupt, and rules with `mode: restart`
 * that own a listening run. A repeated request starts a rule with `mode: restart` over.
 */
export function interruptsOf(
  ruleset: Ruleset,
  listeners: readonly Pick<RunAndEntry, "run">[] = [],
): Ruleset {
  const again = listeners.flatMap(({ run }) => {
    const rule = ruleNow(ruleIdOf(run.owner), ruleset);
    return rule?.mode?.mode === "restart" ? [rule.id] : [];
  });
  const byName = interrupting.get(ruleset) ?? new Map<string, Ruleset>();
  interrupting.set(ruleset, byName);
  const name = [...new Set(again)].sort().join(" ");
  let subset = byName.get(name);
  if (subset === undefined) {
    const rules = ruleset.rules.filter((rule) => rule.interrupts || again.includes(rule.id));
    subset = makeRuleset(rules, ruleset.revision);
    byName.set(name, subset);
  }
  return subset;
}
