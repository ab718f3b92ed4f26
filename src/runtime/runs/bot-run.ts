import type { Handling, LoadedBot } from "../../bots/messages.ts";
import type { AccountEvent } from "../../events/event.ts";
import { type InboundTrigger, maxAgeMsOf } from "../../events/triggers.ts";
import type { StoredRun } from "../store/run.ts";
import type { Entry } from "../store/entry.ts";
import { isLate } from "./entry-event.ts";
import type { EffectOutcome } from "./effect.ts";
import { type Interpretation, NOTHING } from "./lane-event.ts";
import { itemAt, newPlace, placeOf, type RunPlace, storedAs, writeAt } from "./run-place.ts";

/** What is kept of a handler's run until it has ended. */
interface KeptCall {
  readonly triggers: readonly InboundTrigger[];
  /** A rule has queued an answer to this event or is at work on one. */
  readonly answered: boolean;
}

const OWNER = "bot:";

/** What a bot's handler is called with, beside what its run keeps. */
export interface BotRunContext {
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  /** The handle of an account, without `@`; empty when it is not linked. */
  readonly usernameOf: (account: string) => string;
}

/** A bot that is not called for an event, and why: as a rule's verdict has it. */
export interface BotLeft {
  readonly bot: string;
  readonly outcome: "skipped";
  readonly reason: "too-old";
  readonly clause: { readonly path: "maxAge"; readonly wanted: string; readonly actual: number };
}

/** Under which triggers a bot gets an event. */
interface BotTriggers {
  readonly triggers: readonly InboundTrigger[];
  /** It listens, and the event is too old for it. */
  readonly tooOld?: BotLeft;
}

/** The triggers under which `bot` gets the event. What the account itself did starts no bot. */
export function triggersFor(bot: LoadedBot, event: AccountEvent, now: number): BotTriggers {
  if (event.direction === "outbound") return { triggers: [] };
  const age = now - event.at;
  const listens = bot.triggers.filter((trigger) => event.triggers.includes(trigger));
  const triggers = listens.filter((trigger) => age <= maxAgeOf(bot, trigger));
  if (triggers.length > 0 || listens.length === 0) return { triggers };
  const most = Math.max(...listens.map((trigger) => maxAgeOf(bot, trigger)));
  const clause = {
    path: "maxAge",
    wanted: `at most ${Math.round(most / 1_000)} s old`,
    actual: Math.round(age / 1_000),
  } as const;
  return { triggers, tooOld: { bot: bot.name, outcome: "skipped", reason: "too-old", clause } };
}

/** Milliseconds; the trigger's own age, as for rules, unless the bot has one. */
function maxAgeOf({ maxAgeMs }: LoadedBot, trigger: InboundTrigger): number {
  return maxAgeMs === "none" ? Infinity : (maxAgeMs ?? maxAgeMsOf(trigger));
}

/** Starts a run of `bot`: its handlers are called once that is kept. */
export function startBotRun(
  bot: LoadedBot,
  kept: KeptCall,
  { event, entry }: { readonly event: AccountEvent; readonly entry: Entry },
  context: BotRunContext,
): Interpretation {
  const place = newPlace(entry, `${OWNER}${bot.name}`, "current");
  const run = writeAt(place, "ready", JSON.stringify(kept));
  return handling(storedAs(run, place), event, entry, context, [run]);
}

/** Calls the handlers of a run that an earlier holder of the lane left. */
export function handleAgain(
  run: StoredRun,
  event: AccountEvent,
  entry: Entry,
  context: BotRunContext,
): Interpretation {
  return handling(run, event, entry, context, []);
}

function handling(
  run: StoredRun,
  event: AccountEvent,
  entry: Entry,
  context: BotRunContext,
  runs: Interpretation["runs"],
): Interpretation {
  const { triggers, answered }: KeptCall = JSON.parse(run.body);
  const call: Handling = {
    bot: run.owner.slice(OWNER.length),
    triggers,
    event,
    answered,
    account: { id: entry.account, username: context.usernameOf(entry.account) },
    now: context.now,
    replayed: isLate(entry),
  };
  return { ...NOTHING, runs, effects: [{ kind: "handle", run, entry, handling: call }] };
}

/** Ends a run whose handlers have returned; what they asked for goes out, also after a fault. */
export function endBotRun(
  run: StoredRun,
  entry: Entry,
  { result }: Extract<EffectOutcome, { kind: "handled" }>,
  now: number,
): Interpretation {
  const place: RunPlace = placeOf(run, entry);
  const { actions, error } = result;
  const items = actions.map((action, ordinal) => itemAt(place, `actions[${ordinal}]`, action, now));
  const status = error === undefined ? "done" : "failed";
  const ended = writeAt(place, status, JSON.stringify(result));
  // The bots' host has told of the fault: of a hundred that are alike, once.
  return { ...NOTHING, runs: [ended], items };
}
