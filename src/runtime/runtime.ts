import type { EventEmitter } from "eventemitter3";
import type { BotHost } from "../bots/host.ts";
import { startBots } from "../bots/host.ts";
import type { BotLogLine } from "../bots/messages.ts";
import type { Problem } from "../config/problem.ts";
import type { Settings } from "../config/settings.ts";
import { UsageError } from "../errors.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import type { AccountRegistry, LinkedAccount } from "./accounts/registry.ts";
import type { Clock } from "./clock.ts";
import { closing, type Closing } from "./closing.ts";
import { clientsFor, REQUEST_TIMEOUT_MS, type Clients, type PlatformAccess } from "./clients.ts";
import { serveControl, type RuntimeStatus } from "./control/server.ts";
import { decider } from "./decider.ts";
import { openJournal } from "./journal/journal.ts";
import { startRetention } from "./journal/retention.ts";
import { holdLeases } from "./leases.ts";
import { establishLink } from "./link/link.ts";
import type { Log } from "./log.ts";
import type { Notices } from "./notices.ts";
import { startOutbox } from "./outbox/outbox.ts";
import { performer } from "./outbox/perform.ts";
import { startWorker, type RunWorker } from "./runs/worker.ts";
import { statusOf } from "./status.ts";
import { patient } from "./patient-store.ts";
import type { Store } from "./store/store.ts";
import { receiver } from "./webhook/receive.ts";
import { serveWebhook } from "./webhook/server.ts";

export type { PlatformAccess } from "./clients.ts";

/** What a runtime is made of. The command line reads it from the settings. */
export interface RuntimeParts {
  readonly settings: Settings;
  readonly platform: PlatformAccess;
  readonly store: Store;
  readonly accounts: AccountRegistry;
  readonly rules: { readonly ruleset: Ruleset; readonly problems: readonly Problem[] };
  /** Absolute path of a module that a rule file calls, as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Absolute paths of bot modules. */
  readonly botFiles: readonly string[];
  /** Folder that gets `run.json`. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: EventEmitter<Notices>;
}

/** A bot at work. */
export interface Runtime {
  readonly status: RuntimeStatus;
  readonly controlUrl: string;
  /** Takes nothing new, finishes what is under way, and lets everything go. */
  stop(): Promise<void>;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const WORKER = "runtime";

/**
 * Starts a bot: takes events in, decides, answers.
 *
 * The order is the flow's, backwards: what answers is there before what asks, and the platform is told
 * of the webhook last. Stopping goes the other way, and has an end: what is not done by then stays in
 * the store for the next start.
 *
 * The store is the runtime's from here on: it is closed when the start fails, too.
 *
 * @throws {UsageError} when an account is not linked or the webhook's address is taken.
 */
export async function startRuntime(parts: RuntimeParts): Promise<Runtime> {
  const taken = closing(parts.log);
  taken.add("the store", () => parts.store.close());
  try {
    return await start(parts, taken);
  } catch (error) {
    await taken.close();
    throw error;
  }
}

async function start(parts: RuntimeParts, taken: Closing): Promise<Runtime> {
  const { settings, platform, clock, log, notices } = parts;
  const linked = linkedAccounts(settings, parts.accounts);
  const clients = clientsFor(platform, linked, clock);
  taken.add("the client", () => clients.app.close());

  const { bots, worker } = await startAnswering(parts, { linked, clients, taken });
  const journal = openJournal({
    store: parts.store,
    clock,
    onAppended: (count, duplicates) => {
      notices.emit("appended", count, duplicates);
      if (count > 0) worker.wake();
    },
  });
  const server = await serveWebhook({
    ...settings.webhook.listen,
    path: new URL(platform.webhookUrl).pathname,
    log: log.child({ stage: "webhook" }),
    receive: receiver({
      consumerSecret: platform.consumerSecret,
      maxBodyBytes: MAX_BODY_BYTES,
      log: log.child({ stage: "webhook" }),
      append: async (delivery, raw) => void (await journal.append(delivery, raw, "webhook")),
    }),
    ready: () => true,
  });
  taken.add("the webhook's server", () => server.close());

  const link = await establishLink({
    app: clients.app,
    url: platform.webhookUrl,
    accounts: linked.flatMap(({ id, username }) => {
      const client = clients.of(id);
      return client === undefined ? [] : [{ id, username, client }];
    }),
    log: log.child({ stage: "link" }),
  });

  const startedAt = new Date(clock.now()).toISOString();
  const status = () => statusOf({ ...parts, linked, link, bots, server, startedAt });
  const { folder, store, accounts } = parts;
  const control = await serveControl({ folder, store, status, accounts, log });
  taken.add("the control server", () => control.close());
  log.info({ webhook: platform.webhookUrl, accounts: linked.length }, "ready");
  return {
    get status() {
      return status();
    },
    controlUrl: control.url,
    stop: () => taken.close(),
  };
}

interface Answering {
  readonly linked: readonly LinkedAccount[];
  readonly clients: Clients;
  readonly taken: Closing;
}

/** Starts what works off the store: the worker that decides, the bots it asks, the outbox that sends. */
async function startAnswering(
  { store, clock, log, notices, ...parts }: RuntimeParts,
  { linked, clients, taken }: Answering,
): Promise<{ readonly bots: BotHost; readonly worker: RunWorker }> {
  const ending = new AbortController();
  taken.add("waiting writes", async () => ending.abort());
  const writes = patient(store, { log: log.child({ stage: "store" }), signal: ending.signal });
  const leases = await holdLeases({ store, worker: WORKER, log });
  taken.add("the leases", () => leases.stop());

  const outbox = await startOutbox({
    name: WORKER,
    store: {
      outbox: (...args) => store.outbox(...args),
      items: (query) => store.items(query),
      mark: writes.mark,
    },
    clock,
    log: log.child({ stage: "outbox" }),
    leases: leases.held,
    perform: performer({ clientOf: clients.of, requestTimeoutMs: REQUEST_TIMEOUT_MS }),
    random: Math.random,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    onSettled: (item) => notices.emit("item", item),
  });
  taken.add("the outbox", () => outbox.stop());

  const bots = await startBots({ files: parts.botFiles, onLog: botLog(log) });
  taken.add("the bots", () => bots.close());
  for (const fault of bots.faults)
    log.error({ file: fault.file }, `bot not loaded: ${fault.message}`);

  const { resolveModule } = parts;
  const { ruleset } = parts.rules;
  const worker = startWorker({
    name: WORKER,
    store: { fetch: (...args) => store.fetch(...args), commit: writes.commit },
    clock,
    log: log.child({ stage: "runs" }),
    leases: leases.held,
    decide: decider({ ruleset, bots, store, clock, log, accounts: linked, resolveModule }),
    onQueued: () => outbox.wake(),
  });
  taken.add("the worker", () => worker.stop());
  // A settled item puts an event of its own into its lane.
  notices.on("item", () => worker.wake());

  const retention = startRetention({ store, clock, log });
  taken.add("the retention", () => retention.stop());
  return { bots, worker };
}

function botLog(log: Log): (line: BotLogLine) => void {
  return ({ level, bot, key, message, fields }) =>
    log[level](
      { ...fields, ...(bot !== undefined && { bot }), ...(key !== undefined && { event: key }) },
      message,
    );
}

function linkedAccounts(settings: Settings, registry: AccountRegistry): readonly LinkedAccount[] {
  if (settings.accounts.length === 0) return registry.list();
  return settings.accounts.map((handle) => {
    const account = registry.find(handle);
    if (account !== undefined) return account;
    throw new UsageError(`the account @${handle} of the settings is not linked`, {
      hint: "link it with: answerback login",
    });
  });
}
