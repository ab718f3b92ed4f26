import { AsyncLocalStorage } from "node:async_hooks";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { parentPort } from "node:worker_threads";
import type { EventOf } from "../events/event.ts";
import { INBOUND_TRIGGERS, type InboundTrigger } from "../events/triggers.ts";
import type { Json } from "../protocol/json.ts";
import { contextOf } from "./context.ts";
import { collectActions, type ActionCollector } from "./action-collector.ts";
import { defineBot, maxAgeMsOfBot, type Bot, type Handler } from "./define.ts";
import type {
  ModuleCall,
  ModuleCallOutcome,
  FromThread,
  Handling,
  HandlerOutcome,
  LoadedBot,
  ModuleFault,
  ToThread,
} from "./messages.ts";

/** The thread that runs bot modules: nothing a bot does here can stop the runtime from taking events in. */
const port = parentPort;
if (port === null) throw new Error("this module is started by the bot host, as a thread");

const bots = new Map<string, Bot>();
const underWay = new Map<number, AbortController>();
/** Whose code runs, for faults that nobody waits for. */
const author = new AsyncLocalStorage<{ readonly bot: string; readonly key: string }>();
const post = (message: FromThread): void => port.postMessage(message);

// A fault in something that no handler waits for must not end the handlers under way.
process.on("unhandledRejection", (error) => strayFault("a rejection that nobody handles", error));
process.on("uncaughtException", (error) => strayFault("an exception that nobody catches", error));
process.exit = () => {
  throw new Error("a bot can't end the process; throw an error to fail its own event");
};

function strayFault(what: string, error: unknown): void {
  post({
    type: "log",
    level: "error",
    ...author.getStore(),
    message: `${what}: ${describe(error)}`,
  });
}

port.on("message", (message: ToThread) => {
  switch (message.type) {
    case "load":
      void load(message.files).then(post);
      return;
    case "handle":
      void during(message.id, (signal) => handle(message, signal)).then((outcome) =>
        post({ type: "handled", id: message.id, outcome }),
      );
      return;
    case "call":
      void during(message.id, (signal) => call(message, signal)).then((outcome) =>
        post({ type: "called", id: message.id, outcome }),
      );
      return;
    case "cancel":
      underWay.get(message.id)?.abort(new Error(message.reason));
      return;
    case "ping":
      post({ type: "pong" });
  }
});

async function during<T>(id: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    return await work(controller.signal);
  } finally {
    underWay.delete(id);
  }
}

/** Waits for `work`, or for `signal` to abort: rejects with its reason then, whatever `work` does. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function load(files: readonly string[]): Promise<FromThread> {
  const loaded: LoadedBot[] = [];
  const faults: ModuleFault[] = [];
  for (const file of files) {
    post({ type: "loading", file });
    try {
      const module = await imported(file);
      const bot = botOf(module);
      const earlier = loaded.find((other) => other.name === bot.name);
      if (earlier !== undefined) {
        throw new Error(
          `the name "${bot.name}" is taken by ${earlier.file}; give this bot its own`,
        );
      }
      bots.set(bot.name, bot);
      const maxAgeMs = maxAgeMsOfBot(bot);
      loaded.push({
        name: bot.name,
        file,
        ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
        triggers: INBOUND_TRIGGERS.filter((name) => bot.on[name]),
      });
    } catch (error) {
      faults.push({ file, message: describe(error) });
    }
  }
  return { type: "loaded", bots: loaded, faults };
}

/** A module may wait at its top level, but not for ever. */
async function imported(file: string): Promise<unknown> {
  const signal = AbortSignal.timeout(MODULE_TIMEOUT_MS);
  return unlessAborted(signal, import(pathToFileURL(file).href)).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new Error(`still waiting at its top level after ${MODULE_TIMEOUT_MS} ms`);
  });
}

const MODULE_TIMEOUT_MS = 10_000;

/** The module's default export, checked: a module is its author's text, and nothing has checked it. */
function botOf(module: unknown): Bot {
  const found = defaultOf(module);
  if (!isRecord(found) || typeof found["name"] !== "string" || !isRecord(found["on"])) {
    throw new Error(
      'a bot module ends in  export default defineBot({ name: "...", on: { "dm.received": async (ctx) => {} } })',
    );
  }
  for (const [trigger, handler] of Object.entries(found["on"])) {
    if (!INBOUND_TRIGGERS.some((name) => name === trigger)) {
      throw new Error(`"${trigger}" starts no bot; write one of: ${INBOUND_TRIGGERS.join(", ")}`);
    }
    if (typeof handler !== "function")
      throw new Error(`the handler of "${trigger}" is not a function`);
  }
  const { maxAge } = found;
  if (maxAge !== undefined && typeof maxAge !== "string") {
    throw new Error('maxAge is a text: a duration such as "6h", or "none"');
  }
  const aged = maxAge === undefined ? {} : { maxAge };
  return defineBot({ name: found["name"], ...aged, on: found["on"] });
}

/** The default export; a module compiled to CommonJS wraps it once more. */
function defaultOf(module: unknown): unknown {
  const found = isRecord(module) ? module["default"] : undefined;
  return isRecord(found) && found["__esModule"] === true ? found["default"] : found;
}

async function handle(handling: Handling, signal: AbortSignal): Promise<HandlerOutcome> {
  const bot = bots.get(handling.bot);
  if (bot === undefined) return { actions: [], error: `no bot named "${handling.bot}" is loaded` };
  const collector = collectActions(handling, signal, post);
  const { actions } = collector;
  const by = { bot: bot.name, key: handling.event.key };
  try {
    const work = author.run(by, async () => {
      for (const trigger of handling.triggers) await handleOne(bot, trigger, handling, collector);
    });
    await unlessAborted(signal, work);
    return { actions };
  } catch (error) {
    return { actions: [...actions], error: describe(error) };
  }
}

async function handleOne(
  bot: Bot,
  trigger: InboundTrigger,
  handling: Handling,
  collector: ActionCollector,
): Promise<void> {
  // A trigger is derived from the event's kind, so the handler of one fits the other.
  const handler = bot.on[trigger] as Handler<InboundTrigger> | undefined;
  const event = handling.event as EventOf<InboundTrigger>;
  await handler?.(contextOf(trigger, event, handling, collector));
}

async function call(step: ModuleCall, signal: AbortSignal): Promise<ModuleCallOutcome> {
  try {
    const module = await imported(step.module);
    const target = isRecord(module) ? module[step.export] : undefined;
    if (typeof target !== "function") {
      const names = isRecord(module) ? Object.keys(module).join(", ") || "nothing" : "nothing";
      return {
        ok: false,
        error: `${step.module} exports no function "${step.export}", but ${names}`,
      };
    }
    const by = { bot: `${step.module}#${step.export}`, key: step.event.key };
    const work = author.run(by, async (): Promise<unknown> => {
      return target(step.input, { event: step.event, signal });
    });
    return { ok: true, value: plain(await unlessAborted(signal, work)) };
  } catch (error) {
    return { ok: false, error: describe(error) };
  }
}

/** What survives as JSON: results are kept as text and read again later. */
function plain(value: unknown): Json {
  const text = JSON.stringify(value ?? null);
  if (text === undefined)
    throw new TypeError(`a ${typeof value} can't be a result; give plain data`);
  if (text.length > MOST_RESULT_CHARACTERS) {
    throw new TypeError(
      `the result has ${text.length} characters as JSON; ${MOST_RESULT_CHARACTERS} are the most`,
    );
  }
  return JSON.parse(text);
}

/** A result is kept with the run that called. */
const MOST_RESULT_CHARACTERS = 1_000_000;

/** What was thrown: authors may throw anything. */
function describe(error: unknown): string {
  if (error instanceof Error && typeof error.stack === "string") return error.stack;
  return typeof error === "string" ? error : inspect(error);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
