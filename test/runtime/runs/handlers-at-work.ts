import type { Bot } from "../../../src/bots/define.ts";
import type { LoadedBot } from "../../../src/bots/messages.ts";
import { botClient } from "../../../src/bots/platform/bot-client.ts";
import { runHandlers } from "../../../src/bots/run-handlers.ts";
import { INBOUND_TRIGGERS } from "../../../src/events/triggers.ts";
import type { EffectPerformer } from "../../../src/runtime/runs/effect.ts";

/** Describes a bot as the host of bot modules does after loading: its name, file and triggers. */
export function loaded({ name, on }: Bot): LoadedBot {
  return { name, file: `${name}.ts`, triggers: INBOUND_TRIGGERS.filter((trigger) => on[trigger]) };
}

/** Runs handlers in the test's own thread, in the same way as a worker thread of bots does. */
export function handlersOf(...bots: readonly Bot[]): EffectPerformer["handle"] {
  return async (handling, support) => {
    const bot = bots.find(({ name }) => name === handling.bot);
    if (bot === undefined) throw new Error(`no bot ${handling.bot}`);
    const canceling = new AbortController();
    const { signal } = canceling;
    let giveUp = (_error: unknown): void => {};
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = (error) => {
        reject(error);
        canceling.abort(error);
      };
    });
    const ran = runHandlers(bot, structuredClone(handling), {
      signal,
      post: () => {},
      // Copies the progress, like a message between threads. If a request to the host fails, the handler is canceled.
      keep: (progress) =>
        new Promise((resolve) => {
          support.keep(structuredClone(progress)).then(() => resolve(), giveUp);
        }),
      read: (name) => support.read(name),
      outcome: (place, ms) => support.outcome(place, ms, signal),
      ask: (request, stopped = signal) =>
        new Promise((resolve) => {
          support.ask(structuredClone(request), stopped).then(resolve, giveUp);
        }),
      dialect: "post",
      clientOver: () => botClient,
      beginning: (begin) => begin(),
    });
    const outcome = await Promise.race([ran, givenUp]);
    if (outcome === undefined) throw new Error("the client is there");
    return structuredClone(outcome);
  };
}
