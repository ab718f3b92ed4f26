import type { Handling, LoadedBot } from "../../bots/messages.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { InboundTrigger } from "../../events/triggers.ts";
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

/** The triggers under which `bot` gets the event. What the account itself did starts no bot. */
export function triggersFor(bot: LoadedBot, event: AccountEvent): readonly InboundTrigger[] {
  if (event.direction === "outbound") return [];
  return bot.triggers.filter((trigger) => event.triggers.includes(trigger));
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
  const fields = { bot: run.owner.slice(OWNER.length), event: entry.key, fault: error };
  const logs =
    error === undefined ? [] : [{ level: "error" as const, fields, message: "bot failed" }];
  return { ...NOTHING, runs: [ended], items, logs };
}
