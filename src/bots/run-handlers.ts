import type { EventOf } from "../events/event.ts";
import type { InboundTrigger } from "../events/triggers.ts";
import { collectActions } from "./action-collector.ts";
import { contextOf } from "./context.ts";
import type { Bot, Handler } from "./define.ts";
import type { RecorderNeeds } from "./durable/recorded-run.ts";
import { Recorder } from "./durable/recorder.ts";
import type { Caller } from "../client/client.ts";
import type { BotClient } from "./platform/bot-client.ts";
import { NEVER_CLIENT } from "./platform/never-client.ts";
import { recordedCaller, type RecordedCallerNeeds } from "./platform/recorded-caller.ts";
import type { FromThread, HandlerOutcome, Handling } from "./messages.ts";
import { faultOf, inTwoLines } from "./thrown.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface RunHandlersNeeds
  extends
    Pick<RecorderNeeds, "keep" | "read" | "outcome">,
    Pick<RecordedCallerNeeds, "ask" | "dialect"> {
  /** Returns the function that creates the platform client; undefined if its code is not loaded yet. */
  readonly clientOver: () => ((caller: Caller) => BotClient) | undefined;
  readonly signal: AbortSignal;
  readonly post: (message: FromThread) => void;
  /** Runs the synchronous start of a handler. Meanwhile the host can read which job occupies the thread. */
  readonly beginning: <T>(begin: () => T) => T;
}

/**
 * Runs a bot's handlers for one event, until they end or wait for something.
 *
 * @returns The outcome; undefined if the handlers need the platform client, whose code is not loaded yet. The caller
 * must load the client and run the handlers again. Calls made since the last stored record are then repeated.
 */
export async function runHandlers(
  bot: Bot,
  handling: Handling,
  { signal, post, keep, read, outcome, ask, dialect, clientOver, beginning }: RunHandlersNeeds,
): Promise<HandlerOutcome | undefined> {
  const { record = [], now: startedAt, triggers, event } = handling;
  const collector = collectActions(handling, signal, post);
  const recorder = new Recorder({
    record,
    startedAt,
    keep,
    read,
    outcome,
    onLate: (error) => post({ type: "fault", bot: bot.name, key: event.key, ...faultOf(error) }),
  });
  const caller = recordedCaller({ recorder, dialect, ask });
  let botClient: BotClient | undefined;
  let wantClient = (): void => {};
  const wantsClient = new Promise<"no client">((resolve) => {
    wantClient = () => resolve("no client");
  });
  const client = (): BotClient => {
    botClient ??= clientOver()?.(caller);
    if (botClient !== undefined) return botClient;
    recorder.close();
    wantClient();
    return NEVER_CLIENT;
  };
  const runThrough = async (): Promise<boolean> => {
    for (const [handler, trigger] of handlersOf(bot, triggers)) {
      recorder.beginHandler();
      const context = contextOf(trigger, event as EventOf<InboundTrigger>, handling, {
        collector,
        recorder,
        client,
      });
      await beginning(() => handler(context));
    }
    recorder.end();
    return false;
  };
  try {
    const waits = recorder.stopped.then(() => true);
    const came = Promise.race([runThrough(), waits, wantsClient]);
    const isWaiting = await unlessAborted(signal, came);
    if (isWaiting === "no client") return undefined;
    return { ...recorder.close({ hasReturned: !isWaiting }), ...(isWaiting && { waits: true }) };
  } catch (error) {
    return { ...recorder.close(), error: inTwoLines(faultOf(error)) };
  }
}

/**
 * Returns the handlers to call, each with its trigger. A function with several triggers is called once, with the first
 * of them.
 */
function handlersOf(
  bot: Bot,
  triggers: readonly InboundTrigger[],
): ReadonlyMap<Handler<InboundTrigger>, InboundTrigger> {
  const handlers = new Map<Handler<InboundTrigger>, InboundTrigger>();
  for (const trigger of triggers) {
    // The cast is safe: all triggers of an event belong to its kind, so each of their handlers accepts the event.
    const handler = bot.on[trigger] as Handler<InboundTrigger> | undefined;
    if (handler !== undefined && !handlers.has(handler)) handlers.set(handler, trigger);
  }
  return handlers;
}
