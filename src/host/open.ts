import { hostname } from "node:os";
import * as z from "zod";
import { UsageError } from "../errors.ts";
import { clockedLog, LogClock } from "../runtime/clock/log-clock.ts";
import type { Answers, ControlHandlers, Requests } from "../runtime/control/contract.ts";
import { recordedLog } from "../runtime/control/recent-log.ts";
import type { RuntimeStatus } from "../runtime/control/status-schema.ts";
import { itemQuery, journalQuery } from "../runtime/control/stored-schema.ts";
import { cleanupStack, type CleanupStack } from "../runtime/loop/cleanup-stack.ts";
import { accessFor } from "../runtime/platform/platform-access.ts";
import { worldOf } from "../runtime/platform/world-of.ts";
import { runtimeEvents, type RuntimeEventFeed } from "../runtime/runtime-events.ts";
import { closedRouter, type WebhookRouter } from "../runtime/webhook/router.ts";
import type { StoreError } from "../runtime/store/errors.ts";
import type { Store } from "../runtime/store/store.ts";
import { isPostgresUrl, passwordsIn } from "../system/postgres-url.ts";
import { type SecretMask, secretMask } from "../system/secrets/secret-mask.ts";
import { stateFolder } from "../system/files/state-folder.ts";
import type { OpenedParts, SettledOptions } from "./opening/settled-options.ts";
import { hideSecrets, secretLimits } from "./opening/hide-secrets.ts";
import { accountsOf } from "./opening/opened-accounts.ts";
import { consoleOf } from "./opening/opened-console.ts";
import { modulesOf } from "./opening/opened-modules.ts";
import { clockOf, sandboxOf } from "./opening/opened-platform.ts";
import { publishRules, rulesOf } from "./opening/opened-rules.ts";
import { checkContinuity, storeOf } from "./opening/opened-store.ts";
import type { HostProcess } from "./parts.ts";
import { nameOfProcess, roleOf } from "./roles/role.ts";
import { startRuntime } from "./start.ts";

export { systemWatch } from "../runtime/reload/watch-files.ts";

/** A running bot. */
export interface Runtime {
  /** Returns the current status. */
  status(): Promise<RuntimeStatus>;
  /** Events of the runtime, from its start on. */
  readonly events: RuntimeEventFeed;
  /**
   * Returns received events and their outcomes, newest first. `limit`: 50 by default, up to 1,000.
   *
   * @throws {UsageError} for a query that can't be read.
   */
  journal(query?: Requests["journal"]): Promise<Answers["journal"]>;
  /**
   * Returns outgoing actions and their outcomes, newest first. `limit`: 50 by default, up to 1,000.
   *
   * @throws {UsageError} for a query that can't be read.
   */
  outbox(query?: Requests["outbox"]): Promise<Answers["outbox"]>;
  /** Links an account, or replaces its tokens. The account's events arrive from now on. */
  linkAccount(account: Requests["linkAccount"]): Promise<Answers["linkAccount"]>;
  /** Unlinks an account: its events no longer arrive, and its tokens are deleted. */
  unlinkAccount(id: string): Promise<Answers["unlinkAccount"]>;
  /**
   * Pauses an account, or all accounts: events are stored, but nothing is decided or sent. A pause survives restarts.
   */
  pause(request?: Requests["pause"]): Promise<Answers["pause"]>;
  /** Ends a pause, or releases the held answers to a person. */
  resume(request?: Requests["resume"]): Promise<Answers["resume"]>;
  /** Reloads the rule files and bot modules. Rules and bots with errors keep their last working version. */
  reload(): Promise<Answers["reload"]>;
  /** Answers the platform's requests to the webhook; see {@link webhookRouter}. */
  readonly webhook: WebhookRouter;
  /** URL of the control server, which the command line uses. Its token is in `run.json` of the data folder. */
  readonly controlUrl: string;
  /**
   * Resolves with the reason when the runtime can't go on: its store's worker thread ended, or the store's file is
   * damaged or gone. The runtime accepts nothing from that time on. Stop this runtime, and open another.
   */
  readonly died: Promise<StoreError>;
  /** Stops accepting events, finishes current work, and closes everything. May be called again. */
  stop(): Promise<void>;
}

/**
 * Opens and starts a bot from validated settings, with the console if the settings name an address for it.
 *
 * If the start fails, everything that was opened is closed again.
 *
 * @throws {UsageError} when a setting that the target needs is missing.
 * @throws {StoreError} when the store can't be opened.
 */
export async function openFromSettings(options: SettledOptions): Promise<Runtime> {
  const cleanup = cleanupStack(options.log);
  const mask = options.mask ?? secretMask();
  try {
    const opened = await openParts(options, mask, cleanup);
    const { onListening } = options;
    const router = options.webhook ?? closedRouter();
    const isServedElsewhere = options.webhook !== undefined;
    const serveConsole = consoleOf(options, opened, mask);
    const { handlers, controlUrl } = await startRuntime(opened, {
      mask,
      onListening,
      serveConsole,
      router,
      isServedElsewhere,
    });
    await opened.watchProject();
    return { ...runtimeOf(opened, handlers, controlUrl), webhook: router };
  } catch (error) {
    await cleanup.close();
    throw error;
  }
}

async function openParts(
  options: SettledOptions,
  mask: SecretMask,
  cleanup: CleanupStack,
): Promise<OpenedParts> {
  const { settings, folder, environment } = options;
  // Reports a wrong role before the store is created or opened.
  const isShared = options.openStore !== undefined || isPostgresUrl(settings.store.url);
  roleOf(settings.role, { isShared }, settings.source);
  for (const password of passwordsIn(settings.store.url)) mask.hide(password);
  const logClock = new LogClock();
  const clocked = clockedLog(options.log, logClock);
  const recorded = settings.console.listen && recordedLog(clocked, logClock);
  const { log, recent } = recorded ?? { log: clocked, recent: undefined };
  const sandbox = settings.target === "sandbox" ? await sandboxOf(settings, folder) : undefined;
  const platform = accessFor(settings, sandbox);
  const limits = secretLimits(settings, environment, platform);
  const { store, died } = await storeOf(options);
  cleanup.add("the store", () => store.close());
  const rules = await rulesOf(options, { store, log }, { limits, mask });
  const clock = await clockOf(sandbox, platform, { store, log, cleanup });
  logClock.follow(clock);
  const events = runtimeEvents({
    now: () => clock.now(),
    onListenerError: (error) => log.error({ err: error }, "a listener of runtime events failed"),
  });
  await checkContinuity(options, { store, clock, log, events, cleanup });
  publishRules({ rules, events });
  const registry = await accountsOf(options, { store, log, cleanup });
  const others = [sandbox?.controlToken, environment["ANSWERBACK_KEY"]];
  hideSecrets(mask, { platform, accounts: registry, others });
  return {
    settings,
    platform,
    worldOf: () => worldOf(platform, sandbox),
    store,
    died,
    registry,
    rules,
    process: processOf(options, store),
    ...modulesOf(options, { rules, log, cleanup }, limits),
    clock,
    log,
    events,
    cleanup,
    sandbox,
    recent,
  };
}

function processOf(options: SettledOptions, { isShared }: Pick<Store, "isShared">): HostProcess {
  const { settings, folder, environment, dryRun, leaseMs } = options;
  return {
    role: settings.role,
    name: nameOfProcess(settings.processName),
    ...(isShared && { stableName: settings.processName ?? `${hostname()}:${folder}` }),
    folder,
    stateFolder: stateFolder(environment),
    dryRun,
    leaseMs,
    sharesStore: isPostgresUrl(settings.store.url) && dryRun !== true,
  };
}

function runtimeOf(
  { events, died, cleanup }: OpenedParts,
  handlers: ControlHandlers,
  controlUrl: string,
): Omit<Runtime, "webhook"> {
  return {
    status: () => handlers.status({}),
    events,
    journal: async (query = {}) => handlers.journal(checkedQuery(journalQuery, query)),
    outbox: async (query = {}) => handlers.outbox(checkedQuery(itemQuery, query)),
    linkAccount: (account) => handlers.linkAccount(account),
    unlinkAccount: (id) => handlers.unlinkAccount({ id }),
    pause: (request = {}) => handlers.pause(request),
    reload: () => handlers.reload({}),
    resume: ({ drop = false, ...request } = {}) => handlers.resume({ ...request, drop }),
    controlUrl,
    died,
    stop: () => cleanup.close(),
  };
}

function checkedQuery<T>(schema: z.ZodType<T>, query: object): T {
  const checked = schema.safeParse(query);
  if (checked.success) return checked.data;
  throw new UsageError(`the query can't be read: ${z.prettifyError(checked.error)}`);
}
