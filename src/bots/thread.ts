import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import type { Action } from "../actions/action.ts";
import { TRIGGERS, type EventOf, type InboundTrigger } from "../events/event.ts";
import type { Json } from "../rules/view.ts";
import { contextOf } from "./context.ts";
import type { Bot, Handler } from "./define.ts";
import type {
  Call,
  CallOutcome,
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

const BOT_TRIGGERS = TRIGGERS.filter(
  (name): name is InboundTrigger => name !== "dm.sent" && name !== "post.created",
);
const bots = new Map<string, Bot>();
const underWay = new Map<number, AbortController>();
const say = (message: FromThread): void => port.postMessage(message);

port.on("message", (message: ToThread) => {
  switch (message.type) {
    case "load":
      void load(message.files).then(say);
      return;
    case "handle":
      void during(message.id, (signal) => handle(message, signal)).then((outcome) =>
        say({ type: "handled", id: message.id, outcome }),
      );
      return;
    case "call":
      void during(message.id, (signal) => call(message, signal)).then((outcome) =>
        say({ type: "called", id: message.id, outcome }),
      );
      return;
    case "cancel":
      underWay.get(message.id)?.abort(new Error("the handler took too long"));
      return;
    case "ping":
      say({ type: "pong" });
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

async function load(files: readonly string[]): Promise<FromThread> {
  const loaded: LoadedBot[] = [];
  const faults: ModuleFault[] = [];
  for (const file of files) {
    try {
      const module: unknown = await import(pathToFileURL(file).href);
      const bot = botOf(module);
      const earlier = loaded.find((other) => other.name === bot.name);
      if (earlier !== undefined) {
        throw new Error(
          `the name "${bot.name}" is taken by ${earlier.file}; give this bot its own`,
        );
      }
      bots.set(bot.name, bot);
      loaded.push({ name: bot.name, file, triggers: BOT_TRIGGERS.filter((name) => bot.on[name]) });
    } catch (error) {
      faults.push({ file, message: describe(error) });
    }
  }
  return { type: "loaded", bots: loaded, faults };
}

/** The module's default export, checked: a module is text of its author's, not ours. */
function botOf(module: unknown): Bot {
  const found = defaultOf(module);
  if (!isRecord(found) || typeof found["name"] !== "string" || !isRecord(found["on"])) {
    throw new Error(
      'a bot module ends in  export default defineBot({ name: "...", on: { "dm.received": async (ctx) => {} } })',
    );
  }
  for (const [trigger, handler] of Object.entries(found["on"])) {
    if (!BOT_TRIGGERS.some((name) => name === trigger)) {
      throw new Error(`"${trigger}" wakes no bot; these do: ${BOT_TRIGGERS.join(", ")}`);
    }
    if (typeof handler !== "function")
      throw new Error(`the handler of "${trigger}" is no function`);
  }
  return { name: found["name"], on: found["on"] };
}

/** The default export; a module compiled to CommonJS wraps it once more. */
function defaultOf(module: unknown): unknown {
  const found = isRecord(module) ? module["default"] : undefined;
  return isRecord(found) && found["__esModule"] === true ? found["default"] : found;
}

async function handle(handling: Handling, signal: AbortSignal): Promise<HandlerOutcome> {
  const bot = bots.get(handling.bot);
  const actions: Action[] = [];
  if (bot === undefined) return { actions, error: `no bot named "${handling.bot}" is loaded` };
  try {
    for (const trigger of handling.triggers) {
      await handleOne(bot, trigger, handling, {
        signal,
        act: (action) => actions.push(action),
        log: (message, fields) =>
          say({
            type: "log",
            bot: bot.name,
            key: handling.event.key,
            message,
            ...(fields === undefined ? {} : { fields: structuredClone(fields) }),
          }),
      });
    }
    return { actions };
  } catch (error) {
    return { actions, error: describe(error) };
  }
}

async function handleOne(
  bot: Bot,
  trigger: InboundTrigger,
  handling: Handling,
  outlet: Parameters<typeof contextOf>[3],
): Promise<void> {
  // A trigger is derived from the event's kind, so the handler of one fits the other.
  const handler = bot.on[trigger] as Handler<InboundTrigger> | undefined;
  const event = handling.event as EventOf<InboundTrigger>;
  await handler?.(contextOf(trigger, event, handling, outlet));
}

async function call(step: Call, signal: AbortSignal): Promise<CallOutcome> {
  try {
    const module: unknown = await import(pathToFileURL(step.module).href);
    const target = isRecord(module) ? module[step.export] : undefined;
    if (typeof target !== "function") {
      const names = isRecord(module) ? Object.keys(module).join(", ") || "nothing" : "nothing";
      return {
        ok: false,
        error: `${step.module} exports no function "${step.export}", but ${names}`,
      };
    }
    const value: unknown = await target(step.input, { event: step.event, signal });
    return { ok: true, value: plain(value) };
  } catch (error) {
    return { ok: false, error: describe(error) };
  }
}

/** What survives as JSON: results are kept as text and read again later. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
