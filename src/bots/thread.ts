import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { getHeapStatistics } from "node:v8";
import type { EventOf } from "../events/event.ts";
import { INBOUND_TRIGGERS, type InboundTrigger } from "../events/triggers.ts";
import type { Json } from "../protocol/json.ts";
import { contextOf } from "./context.ts";
import { collectActions, type ActionCollector } from "./action-collector.ts";
import { maxAgeMsOfBot, type Bot, type Handler } from "./define.ts";
import { guardProcess } from "./guard-process.ts";
import { botOf, exportedFunction, importModule } from "./load-module.ts";
import type {
  ModuleCall,
  ModuleCallOutcome,
  FromThread,
  Handling,
  HandlerOutcome,
  JobName,
  LoadedBot,
  ModuleFault,
  ToThread,
} from "./messages.ts";
import { takeChannel } from "./private-channel.ts";
import { systemThreadId } from "./thread-priority.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** A thread that runs bot modules: nothing a bot does here can stop the runtime from taking events in. */
const { post, listen, mark } = takeChannel();

const bots = new Map<string, Bot>();
const underWay = new Map<string, AbortController>();
/** Whose code runs, for faults that nobody waits for. */
const author = new AsyncLocalStorage<{ readonly bot: string; readonly key: string }>();

guardProcess((what, error) =>
  post({
    type: "log",
    level: "error",
    ...author.getStore(),
    message: `${what}: ${describe(error)}`,
  }),
);

listen((message: ToThread) => {
  switch (message.type) {
    case "load":
      void load(message.files).then(post);
      return;
    case "handle":
      void during(message, (signal) => handle(message, signal)).then((outcome) =>
        post({ type: "handled", token: message.token, outcome }),
      );
      return;
    case "call":
      void during(message, (signal) => call(message, signal)).then((outcome) =>
        post({ type: "called", token: message.token, outcome }),
      );
      return;
    case "cancel":
      underWay.get(message.token)?.abort(withoutStack(message.reason));
      return;
    case "ping": {
      const { used_heap_size: objects, external_memory: buffers } = getHeapStatistics();
      post({ type: "pong", bytes: objects + buffers });
    }
  }
});

async function during<T>(
  { token }: JobName,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  underWay.set(token, controller);
  try {
    return await work(controller.signal);
  } finally {
    underWay.delete(token);
  }
}

async function load(files: readonly string[]): Promise<FromThread> {
  const loaded: LoadedBot[] = [];
  const faults: ModuleFault[] = [];
  for (const file of files) {
    post({ type: "loading", file });
    try {
      const bot = botOf(await importModule(file));
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
  const systemId = systemThreadId();
  return { type: "loaded", bots: loaded, faults, ...(systemId !== undefined && { systemId }) };
}

async function handle(handling: JobName & Handling, signal: AbortSignal): Promise<HandlerOutcome> {
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
  handling: JobName & Handling,
  collector: ActionCollector,
): Promise<void> {
  // A trigger is derived from the event's kind, so the handler of one fits the other.
  const handler = bot.on[trigger] as Handler<InboundTrigger> | undefined;
  const event = handling.event as EventOf<InboundTrigger>;
  await marked(handling, () => handler?.(contextOf(trigger, event, handling, collector)));
}

/** Runs the part of a job that comes before its first wait: if the thread ends in it, it is known by whom. */
function marked<T>({ number }: JobName, begin: () => T): T {
  mark(number);
  try {
    return begin();
  } finally {
    mark(0);
  }
}

async function call(step: JobName & ModuleCall, signal: AbortSignal): Promise<ModuleCallOutcome> {
  try {
    const target = exportedFunction(await importModule(step.module), step.export);
    if (typeof target === "string") {
      return {
        ok: false,
        error: `${step.module} exports no function "${step.export}", but ${target}`,
      };
    }
    const by = { bot: `${step.module}#${step.export}`, key: step.event.key };
    const work = author.run(by, async (): Promise<unknown> => {
      return marked(step, () => target(step.input, { event: step.event, signal }));
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

/** An error that came from nowhere in a bot: where it was made says nothing. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}

/** What was thrown: authors may throw anything. */
function describe(error: unknown): string {
  if (error instanceof Error && typeof error.stack === "string") return error.stack;
  return typeof error === "string" ? error : inspect(error);
}
