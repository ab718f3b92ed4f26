import type { KeptWait, Progress, ThrownError } from "../../../bots/durable/record.ts";
import { mayAnswer } from "../../../events/conversation.ts";
import { counterpartOf } from "../../../events/kinds/kinds.ts";
import { keyOf } from "../../../rules/user-state.ts";
import { isSettled, type Item } from "../../store/item.ts";
import type { NewTimer, RunAndEntry, RunWrite } from "../../store/run.ts";
import { MAX_ITEMS_OF_EVENT } from "../../store/thread.ts";
import { handling } from "../bot-run.ts";
import type { EffectOutcome } from "../effect.ts";
import { escalationAt, escalationLine } from "../hand-over/escalation-at.ts";
import { saysMore, silenced, silencesRun, silentNow } from "../hand-over/silence.ts";
import { type AtHand, type Needs, readEvent } from "../needs.ts";
import { resultOfItem } from "../step-results.ts";
import { type Interpretation, NOTHING, type RunHappened, type WentOn } from "../lane-event.ts";
import { remembering } from "../memory.ts";
import { itemAt, placeOf, stepKey, storedAs, writeAt } from "../run-place.ts";
import {
  answered,
  armed,
  afterAsk,
  dueAt,
  handedOver,
  heardAt,
  type KeptHandler,
  openWaits,
  outline,
  queuedActions,
  unsentQuestions,
  withProgress,
} from "./kept-handler.ts";
import { mistakeInWhere, takes } from "./where.ts";

/** Returns what follows for a bot's run when its lane event has happened, such as the outcome of its handlers. */
export async function handlerGoesOn(happened: RunHappened, needs: Needs): Promise<Interpretation> {
  const followed = await goesOn(happened, needs);
  // `run-ready` only starts the call of the handlers. What they want to send comes later, in another lane event.
  if (happened.kind === "run-ready" || !saysMore(followed)) return followed;
  // A person may have taken over the conversation meanwhile. A late outcome must then send nothing.
  const { run, entry, silences = await needs.store.silences(run.lane) } = happened;
  const paused = silencesRun(silentNow({ silences }, needs.now()), run);
  return paused === undefined ? followed : silenced(run, entry, paused);
}

async function goesOn(happened: RunHappened, needs: Needs): Promise<Interpretation> {
  const { run } = happened;
  const state: KeptHandler = JSON.parse(run.body);
  switch (happened.kind) {
    case "run-ready":
      return called(happened, needs);
    case "request-begins":
      return NOTHING;
    case "handler-progress":
      return withChanges(happened, happened.progress, needs, (next) => ({
        ...NOTHING,
        runs: [writeAt(placeOf(run, happened.entry), "ready", JSON.stringify(next))],
      }));
    case "effect-settled": {
      const { outcome } = happened;
      if (outcome.kind !== "handled") return NOTHING;
      return withChanges(happened, outcome.result, needs, (next) =>
        ranThrough(happened, next, outcome, needs),
      );
    }
    case "item-settled": {
      if (run.status !== "waiting" || run.waitsFor !== happened.item.key) return NOTHING;
      // The item of the question is held for the operator, who may still let it be sent.
      if (happened.item.status === "held") return NOTHING;
      const next = afterItem(state, happened.item, needs);
      return wokenOrWaits(happened, state, await afterSent(next, run.seq, needs), needs);
    }
    case "timer-due": {
      if (run.status !== "waiting" || state.timer !== happened.timer.id) return NOTHING;
      const next = dueAt(state, needs.now());
      return wokenOrWaits(happened, state, await afterSent(next, run.seq, needs), needs);
    }
    case "rule-changed":
      return NOTHING;
  }
}

/** Offers an event to a run whose handlers wait for events. If the event fits, the handlers are called with it. */
export function handlerTakes(
  pair: RunAndEntry,
  { event, memory }: Pick<AtHand, "event" | "memory">,
  needs: Needs,
): WentOn | undefined {
  if (!mayAnswer(event, () => counterpartOf(readEvent(pair.entry, needs)))) return undefined;
  const state: KeptHandler = JSON.parse(pair.run.body);
  const now = needs.now();
  const wait = openWaits(state).find((one) => takes(one, event, now, memory.read));
  if (wait === undefined) return undefined;
  return { ...woken(pair, answered(state, wait, event, now), needs), counted: [] };
}

/** Calls the handlers again from their start, because what the run waited for has happened. */
function woken({ run, entry }: RunAndEntry, state: KeptHandler, needs: Needs): Interpretation {
  const { timer, ...next } = state;
  const place = placeOf(run, entry);
  const write = writeAt(place, "ready", JSON.stringify(next satisfies KeptHandler));
  const again = called({ run: storedAs(write, place), entry }, needs);
  return { ...again, runs: [write], cancelled: timer === undefined ? [] : [timer] };
}

/** Calls the handlers of a run without changing the run. */
function called(pair: RunAndEntry, needs: Needs): Interpretation {
  const { entry } = pair;
  const event = readEvent(entry, needs);
  return handling(pair.run, { event, entry }, { ...needs, now: needs.now() });
}

function wokenOrWaits(
  pair: RunAndEntry,
  before: KeptHandler,
  next: KeptHandler,
  needs: Needs,
): Interpretation {
  if (openWaits(next).length < openWaits(before).length) return woken(pair, next, needs);
  const [question] = unsentQuestions(next);
  // The store reports an item only to a run that waits for it. The item may be settled before this run does.
  const isMissable =
    question !== undefined &&
    question !== pair.run.waitsFor &&
    unsentQuestions(before).includes(question);
  return waiting(pair, next, isMissable ? needs.now() + CHECK_AGAIN_MS : Infinity);
}

/** Milliseconds after which a run checks an item again that may have been settled while the run began to wait for it. */
const CHECK_AGAIN_MS = 60_000;

/** Applies the outcomes of questions that were settled while the run did not wait for them. */
async function afterSent(state: KeptHandler, seq: number, needs: Needs): Promise<KeptHandler> {
  const unsent = unsentQuestions(state);
  if (unsent.length === 0) return state;
  const items = await needs.store.items({ seq, limit: MAX_ITEMS_OF_EVENT });
  return items
    .filter(({ key, status }) => unsent.includes(key) && isSettled(status))
    .reduce((after, item) => afterItem(after, item, needs), state);
}

/** Applies the outcome of a question's item. */
function afterItem(state: KeptHandler, item: Item, needs: Needs): KeptHandler {
  const result = resultOfItem(item);
  const refusal = result.ok ? undefined : notAsked(result.error.message);
  return afterAsk(state, { key: item.key, refusal }, needs.now());
}

/** Returns what follows when a call of the handlers is over: they have finished, or wait for something. */
async function ranThrough(
  pair: RunAndEntry,
  state: KeptHandler,
  { result }: Extract<EffectOutcome, { kind: "handled" }>,
  needs: Needs,
): Promise<Interpretation> {
  const { error, waits, actions } = result;
  if (waits === true && error === undefined && openWaits(state).length > 0) {
    const next = await afterSent(state, pair.run.seq, needs);
    return wokenOrWaits(pair, state, armed(next, needs.now(), mistakeInWhere), needs);
  }
  const { record: _over, ...call } = state;
  const body = {
    ...call,
    did: outline(state),
    actions: queuedActions(state) || actions.length,
    ...(error !== undefined && { error }),
  };
  const status = error === undefined ? "done" : "failed";
  // No log line here: the bots' host reports the error, and repeated equal errors only once.
  return {
    ...NOTHING,
    runs: [writeAt(placeOf(pair.run, pair.entry), status, JSON.stringify(body))],
  };
}

/**
 * Stores the run until an event arrives, its time is up, or its first unsent question has been sent.
 *
 * @param checkAt Latest time at which the run continues to wait. Infinity: none.
 */
function waiting({ run, entry }: RunAndEntry, state: KeptHandler, checkAt: number): Interpretation {
  const place = placeOf(run, entry);
  const waits = openWaits(state);
  const { timer: before, timers = 0, ...rest } = state;
  const until = Math.min(checkAt, ...waits.map((wait) => wait.until ?? Infinity));
  const id = stepKey(place, "waits", { iteration: timers + 1 });
  const timer: NewTimer | undefined =
    until === Infinity ? undefined : { id, run: run.id, lane: run.lane, dueAt: until };
  const next: KeptHandler = timer
    ? { ...rest, timers: timers + 1, timer: id }
    : { ...rest, timers };
  const [question] = unsentQuestions(state);
  const write: RunWrite = writeAt(place, "waiting", JSON.stringify(next), {
    waitsFor: question ?? timer?.id,
    listens: waits.some(({ kind }) => kind !== "sleep"),
  });
  return {
    ...NOTHING,
    runs: [write],
    timers: timer ? [timer] : [],
    cancelled: before === undefined ? [] : [before],
  };
}

/**
 * Stores the progress of a handler, together with what `follow` returns. Optimistic locking: if the user state that the
 * handler read has changed since, the progress is discarded and the handler runs again from the stored record.
 */
async function withChanges(
  pair: RunAndEntry,
  progress: Partial<Progress>,
  needs: Needs,
  follow: (state: KeptHandler) => Interpretation | Promise<Interpretation>,
): Promise<Interpretation> {
  const { run, entry } = pair;
  const state: KeptHandler = JSON.parse(run.body);
  const { changes = [], actions = [], handOvers = [] } = progress;
  const event = readEvent(entry, needs);
  const place = placeOf(run, entry);
  const now = needs.now();
  return remembering(needs.store, now, async (memory) => {
    for (const { of, name, value, forMs, version } of changes) {
      const key = keyOf({ kind: "value", of, name }, event);
      if (version !== undefined && memory.versionOf(key) !== version)
        return woken(pair, state, needs);
      memory.write({ key, value, ...(forMs !== undefined && { expiresAt: now + forMs }) });
    }
    const first = queuedActions(state);
    const heard = heardAt(state);
    const items = actions.map((action, n) => itemAt(place, labelOf(first + n), action, now, heard));
    const next = withProgress(state, progress, (ordinal) => stepKey(place, labelOf(ordinal)));
    const followed = await follow(next);
    const unasked = new Set(openWaits(next).flatMap((wait) => neverAsked(wait) ?? []));
    const before = handedOver(state);
    const escalations = handOvers.map((handOver, n) =>
      escalationAt(place, handOver, { label: `handOvers[${before + n}]`, event, now }),
    );
    return {
      ...followed,
      items: [...items.filter(({ key }) => !unasked.has(key)), ...followed.items],
      escalations,
      logs: [...escalations.map(escalationLine), ...followed.logs],
      state: memory.writes(),
    };
  });
}

/** Returns the item of a question whose conditions are invalid, because its wait ends at once, without an answer. */
function neverAsked(wait: KeptWait): string | undefined {
  return mistakeInWhere(wait) && wait.item;
}

function labelOf(ordinal: number): string {
  return `actions[${ordinal}]`;
}

function notAsked(reason: string): ThrownError {
  return { name: "Error", message: `the question was not sent: ${reason}` };
}
