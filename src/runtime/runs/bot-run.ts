import type { Handling, LoadedBot } from "../../bots/messages.ts";
import type { AccountEvent } from "../../events/event.ts";
import { type InboundTrigger, maxAgeMsOf } from "../../events/triggers.ts";
import type { StoredRun } from "../store/run.ts";
import type { Entry } from "../store/entry.ts";
import { isLate } from "./entry-event.ts";
import type { KeptHandler } from "./handlers/kept-handler.ts";
import { type Interpretation, NOTHING } from "./lane-event.ts";
import { newPlace, storedAs, writeAt } from "./run-place.ts";

const OWNER = "bot:";

/** Name of the bot that owns the run. */
export function botOf({ owner }: Pick<StoredRun, "owner">): string {
  return owner.slice(OWNER.length);
}

/** Whether the run is one of the bot's. */
export function isRunOf({ name }: LoadedBot, run: Pick<StoredRun, "owner">): boolean {
  return run.owner === `${OWNER}${name}`;
}

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
  called: Pick<KeptHandler, "triggers" | "answered">,
  { event, entry }: EventAndEntry,
  context: BotRunContext,
): Interpretation {
  const place = newPlace(entry, `${OWNER}${bot.name}`, "current");
  const kept: KeptHandler = { ...called, startedAt: context.now };
  const run = writeAt(place, "ready", JSON.stringify(kept));
  return { ...handling(storedAs(run, place), { event, entry }, context), runs: [run] };
}

/** Calls the handlers of a run that is kept as it is. */
export function handling(
  run: StoredRun,
  { event, entry }: EventAndEntry,
  context: BotRunContext,
): Interpretation {
  const { triggers, answered, startedAt, record }: KeptHandler = JSON.parse(run.body);
  const call: Handling = {
    bot: botOf(run),
    triggers,
    event,
    answered,
    account: { id: entry.account, username: context.usernameOf(entry.account) },
    now: startedAt,
    replayed: isLate(entry),
    ...(record && { record }),
  };
  return { ...NOTHING, effects: [{ kind: "handle", run, entry, handling: call }] };
}

interface EventAndEntry {
  readonly event: AccountEvent;
  readonly entry: Entry;
}
