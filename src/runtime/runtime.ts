import type { EventEmitter } from "eventemitter3";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client.ts";
import type { BotHost } from "../bots/host.ts";
import { startBots } from "../bots/host.ts";
import type { Problem } from "../config/problem.ts";
import { headline } from "../config/problem.ts";
import type { Settings } from "../config/settings.ts";
import { UsageError } from "../errors.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import type { AccountRegistry, LinkedAccount } from "./accounts/registry.ts";
import type { Clock } from "./clock.ts";
import { serveControl, type RuntimeStatus } from "./control/server.ts";
import { decider } from "./decider.ts";
import { openJournal } from "./journal/journal.ts";
import { startRetention } from "./journal/retention.ts";
import { holdLeases } from "./leases.ts";
import { establishLink, type Link } from "./link/link.ts";
import type { Log } from "./log.ts";
import type { Notices } from "./notices.ts";
import { startOutbox } from "./outbox/outbox.ts";
import { performer } from "./outbox/perform.ts";
import { startWorker } from "./runs/worker.ts";
import type { Store } from "./store/store.ts";
import { receiver } from "./webhook/receive.ts";
import { serveWebhook, type WebhookServer } from "./webhook/server.ts";

/** What a runtime is made of. The command line reads it from the settings. */
export interface RuntimeParts {
  readonly settings: Settings;
  /** App credentials, addresses and webhook URL, complete. */
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

export interface PlatformAccess {
  readonly baseUrl: string;
  readonly adsBaseUrl?: string;
  readonly dialect: "post" | "tweet";
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly bearerToken: string;
  readonly webhookUrl: string;
}

/** A bot at work. */
export interface Runtime {
  readonly status: RuntimeStatus;
  readonly controlUrl: string;
  /** Takes nothing new, finishes what is under way, and lets everything go. */
  stop(): Promise<void>;
}

/** Longest time of one request to the platform; a lease must outlive it. */
const REQUEST_TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const WORKER = "runtime";

/**
 * Starts a bot: takes events in, decides, answers.
 *
 * The order is the flow's, backwards: what answers is there before what asks, and the platform is told
 * of the webhook last. Stopping goes the other way.
 *
 * @throws {UsageError} when an account is not linked or the webhook's address is taken.
 */
export async function startRuntime(parts: RuntimeParts): Promise<Runtime> {
  const { settings, platform, store, clock, log, notices } = parts;
  const linked = linkedAccounts(settings, parts.accounts);
  const clients = clientsFor(platform, linked, clock);
  const undo: (() => Promise<void>)[] = [() => store.close(), () => clients.app.close()];
  const stop = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const leases = await holdLeases({ store, worker: WORKER, log });
    undo.push(() => leases.stop());

    const outbox = await startOutbox({
      name: WORKER,
      store,
      clock,
      log: log.child({ stage: "outbox" }),
      leases: leases.held,
      perform: performer({ clientOf: clients.of, requestTimeoutMs: REQUEST_TIMEOUT_MS }),
      random: Math.random,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      onSettled: (item) => notices.emit("item", item),
    });
    undo.push(() => outbox.stop());

    const bots = await startBots({
      files: parts.botFiles,
      onLog: ({ bot, key, message, fields }) => log.info({ ...fields, bot, event: key }, message),
    });
    undo.push(() => bots.close());
    for (const fault of bots.faults)
      log.error({ file: fault.file }, `bot not loaded: ${fault.message}`);

    const worker = startWorker({
      name: WORKER,
      store,
      clock,
      log: log.child({ stage: "runs" }),
      leases: leases.held,
      decide: decider({
        ruleset: parts.rules.ruleset,
        bots,
        store,
        clock,
        log,
        accounts: linked,
        resolveModule: parts.resolveModule,
      }),
      onQueued: () => outbox.wake(),
    });
    undo.push(() => worker.stop());
    // A settled item puts an event of its own into its lane.
    notices.on("item", () => worker.wake());

    const retention = startRetention({ store, clock, log });
    undo.push(() => retention.stop());

    const journal = openJournal({
      store,
      clock,
      onAppended: (count, duplicates) => {
        notices.emit("appended", count, duplicates);
        if (count > 0) worker.wake();
      },
    });
    const server = await serveWebhook({
      ...settings.webhook.listen,
      path: new URL(platform.webhookUrl).pathname,
      receive: receiver({
        consumerSecret: platform.consumerSecret,
        maxBodyBytes: MAX_BODY_BYTES,
        log: log.child({ stage: "webhook" }),
        append: async (delivery, raw) => void (await journal.append(delivery, raw, "webhook")),
      }),
      ready: () => true,
    });
    undo.push(() => server.close());

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
    const status = (): RuntimeStatus => statusOf(parts, { linked, link, bots, server, startedAt });
    const control = await serveControl({
      folder: parts.folder,
      store,
      status,
      accounts: parts.accounts,
    });
    undo.push(() => control.close());
    log.info({ webhook: platform.webhookUrl, accounts: linked.length }, "ready");
    return {
      get status() {
        return status();
      },
      controlUrl: control.url,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
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

interface Clients {
  readonly app: Client<"bearer">;
  readonly of: (account: string) => Client<"oauth1"> | undefined;
}

function clientsFor(
  platform: PlatformAccess,
  linked: readonly LinkedAccount[],
  clock: Clock,
): Clients {
  const { baseUrl, adsBaseUrl, dialect, consumerKey, consumerSecret, bearerToken } = platform;
  const app = createClient({
    baseUrl,
    adsBaseUrl,
    dialect,
    timeoutMs: REQUEST_TIMEOUT_MS,
    clock: { now: () => clock.now(), sleep },
    credentials: { type: "bearer", bearerToken },
  });
  const byAccount = new Map(
    linked.map(({ id, accessToken, accessTokenSecret }) => [
      id,
      app.as({ type: "oauth1", consumerKey, consumerSecret, accessToken, accessTokenSecret }),
    ]),
  );
  return { app, of: (account) => byAccount.get(account) };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    });
  });
}

interface Running {
  readonly linked: readonly LinkedAccount[];
  readonly link: Link;
  readonly bots: BotHost;
  readonly server: WebhookServer;
  readonly startedAt: string;
}

function statusOf(parts: RuntimeParts, running: Running): RuntimeStatus {
  const { settings, platform, rules, clock } = parts;
  const { link, bots, server } = running;
  return {
    target: settings.target,
    startedAt: running.startedAt,
    now: new Date(clock.now()).toISOString(),
    webhook: {
      listen: `${server.host}:${server.port}`,
      url: platform.webhookUrl,
      id: link.webhookId,
    },
    accounts: running.linked.map(({ id, username }) => ({
      id,
      username,
      subscribed: link.subscribed.has(id),
    })),
    rules: {
      count: rules.ruleset.rules.length,
      revision: rules.ruleset.revision,
      problems: rules.problems.map(headline),
    },
    bots: bots.bots.map(({ name, triggers }) => ({ name, triggers })),
    botFaults: bots.faults.map(({ file, message }) => `${file}: ${message}`),
  };
}
