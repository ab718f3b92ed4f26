import type { AccountEvent } from "../../../events/event.ts";
import { groupOf, isInScope } from "../../../events/conversation.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import type { Json } from "../../../protocol/json.ts";
import { matching, settleCooldowns, stateKeys, type Decision } from "../../../rules/decide.ts";
import { keyOf } from "../../../rules/user-state.ts";
import type { CompiledRule, Ruleset } from "../../../rules/ruleset.ts";
import type { Entry } from "../../store/entry.ts";
import { type RunAndEntry, runIdParts } from "../../store/run.ts";
import { type BotLeft, isRunOf, startBotRun, triggersFor } from "../bot-run.ts";
import { editAlone, isLate, isNewPostToo } from "../entry-event.ts";
import { answeredByHand, isByHand } from "../hand-over/answered-by-hand.ts";
import { pausedBy, silencesRun, silentNow, takenOver } from "../hand-over/silence.ts";
import { handlerTakes } from "../handlers/handler-run.ts";
import { inSlices } from "../../loop/in-slices.ts";
import {
  type Interpretation,
  type KeptDecision,
  type LaneEvent,
  isOpen,
  joined,
  NOTHING,
} from "../lane-event.ts";
import { cancelledBy, interruptsOf, offerTo } from "../listeners.ts";
import { endedBy, endWhole, wholeRunAt, reasonToEnd } from "../parallel/whole-run.ts";
import { type Memory, remembering } from "../memory.ts";
import { ruleIdOf } from "../run-place.ts";
import { optedOut } from "../restraints/opt-out.ts";
import { type AtHand, contextOf, type Needs, readEvent, sourceOf } from "../needs.ts";
import { followCounts, openRules, overflowed, startRules } from "./start-rules.ts";

type HappenedEvent = Extract<LaneEvent, { readonly kind: "event" }>;

/** Interpretation of an event, with the rules whose runs have not ended. */
interface Followed<Kind extends Interpretation = Interpretation> {
  readonly interpretation: Kind;
  readonly open: readonly CompiledRule[];
}

/** Returns what follows from a received event: answers, runs of rules and bots, changes of user state. */
export async function onEvent(happened: HappenedEvent, needs: Needs): Promise<Interpretation> {
  const { entry } = happened;
  const stored = readEvent(entry, needs);
  const isAnswered = isNewPostToo(stored) && (await needs.isAnsweredEdit?.(stored)) === true;
  const event = isAnswered ? editAlone(stored) : stored;
  if (event.kind === "answer_by_hand" && isByHand(entry)) {
    return answeredByHand(event, entry, needs.now());
  }
  if (isPassedOver(event, happened.listeners, needs)) {
    return { ...NOTHING, decision: { ran: [], now: needs.now(), reason: PASSED_OVER } };
  }
  const silences = silentNow(happened, needs.now());
  const paused = pausedBy(silences);
  const { interpretation, open } = await remembering(needs.store, needs.now(), async (memory) => {
    const { listeners } = happened;
    const hand = { event, entry, memory, now: needs.now() };
    const personOf = (one: Entry) => counterpartOf(readEvent(one, needs));
    const out = needs.optOut && (await optedOut(needs.optOut, { ...hand, listeners, personOf }));
    if (out !== undefined) return { interpretation: out, open: [] };
    return decided({ ...hand, paused }, { ...happened, silences }, needs);
  });
  return {
    ...interpretation,
    ...(isAnswered && { decision: { ran: [], ...interpretation.decision, editAlone: true } }),
    sources: open.flatMap((rule) => sourceOf(rule, needs)),
  };
}

/** Reason of a decision on a group's message for which no rule, bot or waiting run listens. */
export const PASSED_OVER = "a message of a group: no rule or bot says in: group, or in: any";

/** Whether a person's message is from a group, and no rule, bot or waiting run listens to groups. */
function isPassedOver(
  event: AccountEvent,
  listeners: HappenedEvent["listeners"],
  { ruleset, bots }: Needs,
): boolean {
  if (event.direction !== "inbound" || groupOf(event) === undefined || listeners.length > 0) {
    return false;
  }
  const isHeard = ruleset
    .candidates(event.triggers)
    .some(({ triggers }) =>
      triggers.some((one) => one.direction === "inbound" && isInScope(one.scope, event)),
    );
  return !isHeard && !bots().some(({ scope = "private" }) => isInScope(scope, event));
}

/** Ends the waiting runs that the event cancels (`cancel_on`), then offers it to other runs, rules and bots. */
async function decided(
  hand: AtHand,
  happened: Pick<HappenedEvent, "listeners" | "silences">,
  needs: Needs,
): Promise<Followed> {
  const { event, memory } = hand;
  const cancelled = await cancelledBy(happened.listeners, event, {
    archive: needs.archive,
    eventOf: (one) => readEvent(one, needs),
    contextOf: (rule) => contextOf(rule, memory, needs),
  });
  if (cancelled.length === 0) return heard(hand, happened, needs);
  const listeners = happened.listeners.filter((one) => !cancelled.includes(one));
  const followed = await heard(hand, { ...happened, listeners }, needs);
  const ended = withEnded(followed, cancelled, BY_THE_PERSON, memory);
  const { interpretation } = ended;
  const ids = cancelled.map(({ run }) => run.id);
  const decision = { ran: [], ...interpretation.decision, cancelled: ids };
  return { ...ended, interpretation: { ...interpretation, decision } };
}

const BY_THE_PERSON = "the person ended it";

/** Adds the ends of `runs` to what follows from an event. */
function withEnded(
  followed: Followed,
  runs: readonly RunAndEntry[],
  reason: string,
  memory: Memory,
): Followed {
  if (runs.length === 0) return followed;
  const { interpretation, open } = followed;
  const ended = runs.map(({ run }) => endWhole(wholeRunAt(run, memory), reason));
  return { interpretation: { ...interpretation, ...joined([...ended, interpretation]) }, open };
}

async function heard(
  hand: AtHand,
  { listeners, silences = [] }: Pick<HappenedEvent, "listeners" | "silences">,
  needs: Needs,
): Promise<Followed> {
  const { event, memory, paused = "" } = hand;
  if (listeners.length === 0) return byRules(hand, needs.ruleset, needs);
  const interrupted = await tryInterrupts(hand, listeners, needs);
  if (interrupted.interpretation.decision.ran.length > 0)
    return byRules(hand, needs.ruleset, needs);
  const { taker, silent } = await offerTo(listeners, event, {
    archive: needs.archive,
    eventOf: (one) => readEvent(one, needs),
    isOutdated: (rule) => reasonToEnd(rule, needs) !== undefined,
    contextOf: (rule) => contextOf(rule, memory, needs),
    mayTake: (run, rule) => silencesRun(silences, run, rule) === undefined,
    offerToHandler: (pair) => handlerTakes(pair, hand, needs),
  });
  if (taker === undefined) {
    const followed = await byRules(hand, needs.ruleset, needs);
    return withEnded(followed, silent, takenOver(paused), memory);
  }
  const { run, rule, interpretation, refused } = taker;
  if (needs.ruleset.remembersPeople) meet(event, memory);
  const counting = { ...hand, event: readEvent(taker.entry, needs), entry: taker.entry };
  const { counted } = interpretation;
  const reached = followCounts(counting, [{ run: run.id, interpretation, counted }], needs);
  // An event that a bot's run took as its answer does not start the bot again.
  const others = { ...needs, bots: () => needs.bots().filter((bot) => !isRunOf(bot, run)) };
  const { bots, skippedBots } = startBots(hand, true, others);
  const { decision, verdicts } = interrupted.interpretation;
  const started = reached.started.map((one) => one.interpretation);
  return {
    interpretation: {
      ...joined([
        ...reached.counting,
        ...started,
        ...reached.handOvers,
        ...bots,
        ...endedBy(memory),
      ]),
      decision: {
        ...decision,
        takenBy: run.id,
        ...(refused !== undefined && { refused }),
        ...(skippedBots.length > 0 && { bots: skippedBots }),
      },
      verdicts,
      state: memory.writes(),
      slots: memory.slots(),
    },
    open: [
      ...(rule !== undefined && isOpen(interpretation) ? [rule] : []),
      ...openRules(reached.started),
    ],
  };
}

/**
 * A message such as STOP or HUMAN may start a rule with `interrupts: true` and is then no answer to a question. So these
 * rules are tried first, on a copy of the user state that is dropped afterwards. A rule with `mode: restart` counts only
 * if no other rule of its group comes before it: otherwise the message is an answer.
 */
async function tryInterrupts(
  hand: AtHand,
  listeners: HappenedEvent["listeners"],
  needs: Needs,
): Promise<Followed<ByRules>> {
  const { ruleset } = needs;
  const tryRules = (rules: Ruleset) =>
    byRules({ ...hand, memory: hand.memory.apart() }, rules, needs);
  const first = interruptsOf(ruleset, listeners);
  const tried = await tryRules(first);
  const { ran } = tried.interpretation.decision;
  if (ran.length === 0 || ran.some((id) => ruleset.byId.get(id)?.interrupts)) return tried;
  const all = await tryRules(ruleset);
  const isStarted = all.interpretation.decision.ran.some((id) => first.byId.has(id));
  return isStarted ? tried : tryRules(interruptsOf(ruleset));
}

interface ByRules extends Interpretation {
  readonly decision: KeptDecision;
  readonly verdicts: Decision;
}

/** Decides on an event by rules. If an interrupting rule pauses the bot, decides again with the other rules silent. */
async function byRules(hand: AtHand, ruleset: Ruleset, needs: Needs): Promise<Followed<ByRules>> {
  const before = hand.memory.apart();
  const followed = await askRules(hand, ruleset, needs);
  const pausing = followed.interpretation.escalations.flatMap(({ run, silences }) => {
    const rule = needs.ruleset.byId.get(ruleIdOf(runIdParts(run)[1]));
    return silences !== undefined && rule?.interrupts === true ? [rule.id] : [];
  })[0];
  if (hand.paused !== undefined || pausing === undefined) return followed;
  return askRules({ ...hand, memory: before, paused: `rule ${pausing}` }, ruleset, needs);
}

async function askRules(hand: AtHand, ruleset: Ruleset, needs: Needs): Promise<Followed<ByRules>> {
  const { event, entry, memory, paused } = hand;
  const now = needs.now();
  const readValues: Record<string, Json> = {};
  const read = (key: string): Json | undefined => {
    const value = memory.read(key);
    if (value !== undefined) readValues[key] = value;
    return value;
  };
  const username = ruleset.namesAccounts ? needs.usernameOf(entry.account) : undefined;
  const context = {
    now,
    replayed: isLate(entry),
    read,
    username,
    ...(paused !== undefined && { paused }),
    isUnread: memory.isUnread,
  };
  const matched = await inSlices(matching(event, ruleset, context), memory.load);
  // Most events read no state and so cause no request to the store's worker thread.
  const met = needs.ruleset.remembersPeople ? metKey(event) : undefined;
  await memory.load([...stateKeys(matched), ...(met === undefined ? [] : [met])]);
  const decision = settleCooldowns(matched, read);
  if (needs.ruleset.remembersPeople) meet(event, memory);
  for (const change of decision.changes) memory.write(change);
  const started = startRules(decision, entry, memory, needs);
  const overflow = overflowed(decision, hand, needs);
  const reached = followCounts(hand, started, needs);
  const rules = [...started, ...reached.started];
  const answered = rules.some(({ answers }) => answers);
  const { bots, skippedBots } = startBots(hand, answered, needs);
  const interpretation = {
    ...joined([
      ...reached.counting,
      ...reached.started.map((one) => one.interpretation),
      overflow,
      ...reached.handOvers,
      ...bots,
      ...endedBy(memory),
    ]),
    decision: {
      revision: decision.revision,
      ran: [...decision.runs.map(({ ruleId }) => ruleId), ...reached.ran],
      now,
      ...(username !== undefined && { username }),
      ...(Object.keys(readValues).length > 0 && { read: readValues }),
      ...(skippedBots.length > 0 && { bots: skippedBots }),
      ...(paused !== undefined && { paused }),
    },
    verdicts: decision,
    state: memory.writes(),
    slots: memory.slots(),
  };
  return { interpretation, open: openRules(rules) };
}

function startBots(
  { event, entry, paused }: AtHand,
  answered: boolean,
  needs: Needs,
): { readonly bots: readonly Interpretation[]; readonly skippedBots: readonly BotLeft[] } {
  if (paused !== undefined) return { bots: [], skippedBots: [] };
  const now = needs.now();
  const context = { ...needs, now };
  const skippedBots: BotLeft[] = [];
  const bots = needs.bots().flatMap((bot) => {
    const { triggers, tooOld } = triggersFor(bot, event, now);
    if (tooOld !== undefined) skippedBots.push(tooOld);
    if (triggers.length === 0) return [];
    return [startBotRun(bot, { triggers, answered }, { event, entry }, context)];
  });
  return { bots, skippedBots };
}

/** Records the first event of a person. Later events change nothing. */
export function meet(event: AccountEvent, memory: Pick<Memory, "read" | "write">): void {
  const key = metKey(event);
  if (key !== undefined && memory.read(key) === undefined) memory.write({ key, value: event.key });
}

/** Returns the state key for the first event of a person; `undefined` for events that no person caused. */
function metKey(event: AccountEvent): string | undefined {
  const isTheirs = event.direction !== "outbound" && counterpartOf(event) !== undefined;
  return isTheirs ? keyOf({ kind: "met" }, event) : undefined;
}
