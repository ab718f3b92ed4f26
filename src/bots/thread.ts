import { AsyncLocalStorage } from "node:async_hooks";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { getHeapStatistics } from "node:v8";
import { INBOUND_TRIGGERS } from "../events/triggers.ts";
import type { Dialect } from "../protocol/dialects.ts";
import { tellConsole } from "./console.ts";
import { maxAgeMsOfBot, type Bot } from "./define.ts";
import { HostCalls } from "./durable/host-calls.ts";
import { convertedValue } from "./durable/plain-value.ts";
import { wasTold } from "./durable/late-call.ts";
import { guardProcess } from "./guard-process.ts";
import { botOf, exportedFunction, exportsOf, importModule } from "./loading/load-module.ts";
import { serveModules } from "./loading/serve-modules.ts";
import type {
  ModuleCall,
  ModuleCallOutcome,
  FromThread,
  Handling,
  HandlerOutcome,
  JobName,
  LoadedBot,
  LookedModule,
  ModuleFault,
  ToThread,
} from "./messages.ts";
import type { botClient } from "./platform/bot-client.ts";
import { takeChannel } from "./private-channel.ts";
import { runHandlers } from "./run-handlers.ts";
import { tellWarnings } from "../system/process-warnings.ts";
import { type HiddenValue, withoutRuns } from "../system/secrets/secret-runs.ts";
import { systemThreadId } from "./watching/thread-priority.ts";
import { describeLoadFault, faultOf, quotable } from "./thrown.ts";
import { unlessAborted } from "./unless-aborted.ts";

/**
 * Entry point of a worker thread with bot modules. Bots run in separate threads so that they can't block the receipt of
 * events.
 */
const { post, listen, mark } = takeChannel();

const bots = new Map<string, Bot>();
const underWay = new Map<string, AbortController>();
/** Files that have been imported for jobs. */
const imported = new Set<string>();
const hostCalls = new HostCalls(post);
let dialect: Dialect = "post";
/**
 * Function that creates the platform client. It is loaded only for bots that use the client: it doubles the load time
 * of a thread, and takes 10 MB.
 */
let clientOver: typeof botClient | undefined;
/** Bot and event for which the running code works. Errors outside awaited calls are attributed to them. */
const author = new AsyncLocalStorage<Author>();

interface Author {
  readonly bot: string;
  /** Key of the event that the code is handling. */
  readonly key: string;
  readonly hidden?: readonly HiddenValue[];
}

guardProcess((what, error) => {
  if (wasTold(error)) return;
  const { message, place } = faultOf(error);
  const where = place === undefined ? {} : { place };
  post({ type: "fault", ...signed(`${what}: ${message}`), ...where });
});
tellConsole((level, message) => post({ type: "log", level, ...signed(message) }));
tellWarnings((message) => post({ type: "log", level: "warn", ...signed(message) }));

listen((message: ToThread) => {
  switch (message.type) {
    case "load":
      dialect = message.dialect ?? dialect;
      if (message.served !== undefined) serveModules(message.served);
      void load(message.files, message.modules).then(post);
      return;
    case "handle":
      void during(message, (signal) => handle(message, signal)).then((outcome) =>
        post(
          outcome === undefined
            ? { type: "again", token: message.token }
            : { type: "handled", token: message.token, outcome },
        ),
      );
      return;
    case "call":
      void during(message, (signal) => call(message, signal)).then((outcome) =>
        post({ type: "called", token: message.token, outcome }),
      );
      return;
    case "kept":
    case "value":
    case "became":
    case "answered":
      hostCalls.answer(message);
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

/** Adds the bot and event of the running code to a message, and removes the secrets of their input from it. */
function signed(message: string): { readonly message: string } & Partial<Author> {
  const { hidden = [], ...by } = author.getStore() ?? {};
  return { ...by, message: withoutRuns(message, hidden) };
}

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
    hostCalls.end(token);
  }
}

async function load(
  files: readonly string[],
  modules: readonly string[] = [],
): Promise<FromThread> {
  const loaded: LoadedBot[] = [];
  const looked: LookedModule[] = [];
  const faults: ModuleFault[] = [];
  const systemId = systemThreadId();
  const begin = (file: string): void =>
    post({ type: "loading", file, ...(systemId !== undefined && { systemId }) });
  for (const file of files) {
    begin(file);
    try {
      const bot = botOf(await importModule(file));
      if (await asksPlatform(file)) await loadClient();
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
        ...(bot.in === undefined ? {} : { scope: bot.in }),
        triggers: INBOUND_TRIGGERS.filter((name) => bot.on[name]),
      });
    } catch (error) {
      faults.push({ file, message: describeLoadFault(error) });
    }
  }
  for (const file of modules) {
    begin(file);
    try {
      looked.push({ file, ...exportsOf(await importModule(file)) });
    } catch (error) {
      faults.push({ file, message: describeLoadFault(error) });
    }
  }
  const seen = modules.length > 0 && { modules: looked };
  return {
    type: "loaded",
    bots: loaded,
    faults,
    ...seen,
    ...(systemId !== undefined && { systemId }),
  };
}

/**
 * Runs the handlers of a bot.
 *
 * @returns The outcome; undefined if the handlers must run again, because the platform client that they need has just
 * been loaded.
 */
async function handle(
  handling: JobName & Handling,
  signal: AbortSignal,
): Promise<HandlerOutcome | undefined> {
  const bot = bots.get(handling.bot);
  if (bot === undefined) return { actions: [], error: `no bot named "${handling.bot}" is loaded` };
  const { token, event } = handling;
  const outcome = await author.run({ bot: bot.name, key: event.key }, () =>
    runHandlers(bot, handling, {
      signal,
      post,
      keep: (progress) => hostCalls.keep(token, progress),
      read: (name) => hostCalls.read(token, name),
      outcome: (place, ms) => hostCalls.outcome(token, place, ms),
      ask: (request, stopped) => hostCalls.platform(token, request, stopped),
      dialect,
      clientOver: () => clientOver,
      beginning: (begin) => marked(handling, begin),
    }),
  );
  if (outcome === undefined) await importing("./platform/bot-client.ts", loadClient);
  return outcome;
}

async function loadClient(): Promise<void> {
  clientOver ??= (await import("./platform/bot-client.ts")).botClient;
}

/**
 * Whether the source of a module uses the platform client. If it does not, modules that it imports may still use the
 * client.
 */
async function asksPlatform(file: string): Promise<boolean> {
  return /\.client\b/.test(await readFile(file, "utf8"));
}

/** Publishes the job's number while its code runs synchronously. If that ends the thread, the host knows the cause. */
function marked<T>({ number }: JobName, begin: () => T): T {
  mark(number);
  try {
    return begin();
  } finally {
    mark(0);
  }
}

async function call(step: JobName & ModuleCall, signal: AbortSignal): Promise<ModuleCallOutcome> {
  return withoutRuns(await outcomeOf(step, signal), step.hidden ?? []);
}

async function outcomeOf(
  step: JobName & ModuleCall,
  signal: AbortSignal,
): Promise<ModuleCallOutcome> {
  try {
    const load = (): Promise<unknown> => unlessAborted(signal, importModule(step.module));
    const module = await importing(step.module, load);
    const target = exportedFunction(module, step.export);
    if (typeof target === "string") {
      return {
        ok: false,
        error: `${basename(step.module)} exports no function "${step.export}", but ${target}`,
      };
    }
    const { event, hidden = [] } = step;
    const by = { bot: `${step.module}#${step.export}`, key: event.key, hidden };
    const work = author.run(by, async (): Promise<unknown> => {
      return marked(step, () => target(step.input, { event: step.event, signal }));
    });
    const what = `the result of ${basename(step.module)}#${step.export}`;
    const result = await unlessAborted(signal, work);
    return { ok: true, value: convertedValue(result, what, MAX_RESULT_CHARACTERS) };
  } catch (error) {
    const { place } = faultOf(error);
    const where = place === undefined ? {} : { place };
    return { ok: false, error: quotable(error, step.module), ...where };
  }
}

/** Imports code for a job. Reports to the host when the first import of a file begins and ends. */
async function importing<T>(file: string, load: () => Promise<T>): Promise<T> {
  if (imported.has(file)) return load();
  post({ type: "importing", file });
  try {
    const loaded = await load();
    imported.add(file);
    return loaded;
  } finally {
    post({ type: "imported", file });
  }
}

/** Maximum length of a result as JSON. It is stored with the run of the calling rule. */
const MAX_RESULT_CHARACTERS = 1_000_000;

/** Creates an error without a stack, for an error that does not come from the bot's code. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}
