import type { Handling, LoadedBot } from "../../bots/messages.ts";
import { isInScope } from "../../events/conversation.ts";
import type { AccountEvent } from "../../events/event.ts";
import { type InboundTrigger, maxAgeOfBot } from "../../events/triggers.ts";
import type { StoredRun } from "../store/run.ts";
import type { Entry } from "../store/entry.ts";
import { isLate } from "./entry-event.ts";
import type { KeptHandler } from "./handlers/kept-handler.ts";
import { type Interpretation, NOTHING } from "./lane-event.ts";
import { newPlace, storedAs, writeAt } from "./run-place.ts";

const OWNER = "bot:";

/** Returns the name of the bot that owns the run. */
export function botOf({ owner }: Pick<StoredRun, "owner">): string {
  return owner.slice(OWNER.length);
}

/** Whether the bot owns the run. */
export function isRunOf({ name }: LoadedBot, run: Pick<StoredRun, "owner">): boolean {
  return run.owner === `${OWNER}${name}`;
}

/** Data that a bot's run needs in addition to its stored state. */
export interface BotRunContext {
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  /** Returns the handle of an account, without `@`; empty when the account is not linked. */
  readonly usernameOf: (account: string) => string;
}

/** Record that an event was too old to start a bot, with the fields of a rule's verdict, to show both alike. */
export interface BotLeft {
  readonly bot: string;
  readonly outcome: "skipped";
  readonly reason: "too-old";
  readonly clause: { readonly path: "maxAge"; readonly wanted: string; readonly actual: number };
}

/** Triggers under which a bot gets an event. */
interface BotTriggers {
  readonly triggers: readonly InboundTrigger[];
  /** Set if the event is older than the bot's maximum age for every trigger under which the bot would get it. */
  readonly tooOld?: BotLeft;
}

/** Returns the triggers under which `bot` gets the event. Events that the account itself caused start no bot. */
export function triggersFor(bot: LoadedBot, event: AccountEvent, now: number): BotTriggers {
  if (event.direction === "outbound" || !isInScope(bot.scope ?? "private", event)) {
    return { triggers: [] };
  }
  const age = now - event.at;
  const listens = bot.triggers.filter((trigger) => event.triggers.includes(trigger));
  const triggers = listens.filter((trigger) => age <= maxAgeOfBot(bot, trigger));
  if (triggers.length > 0 || listens.length === 0) return { triggers };
  const most = Math.max(...listens.map((trigger) => maxAgeOfBot(bot, trigger)));
  const clause = {
    path: "maxAge",
    wanted: `at most ${Math.round(most / 1_000)} s old`,
    actual: Math.round(age / 1_000),
  } as const;
  return { triggers, tooOld: { bot: bot.name, outcome: "skipped", reason: "too-old", clause } };
}

/** Starts a run of `bot`. Its handlers are called once the run is stored. */
export function startBotRun(
  bot: LoadedBot,
  called: Pick<KeptHandler, "triggers" | "answered">,
  { event, entry }: EventAndEntry,
  context: BotRunContext,
): Interpretation {
  const place = newPlace(entry, `${OWNER}${bot.name}`, "current");
  const state: KeptHandler = { ...called, startedAt: context.now };
  const run = writeAt(place, "ready", JSON.stringify(state));
  return { ...handling(storedAs(run, place), { event, entry }, context), runs: [run] };
}

/** Returns an interpretation whose effect calls the handlers of a stored run. It contains no write of the run. */
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
