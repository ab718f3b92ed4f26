import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as z from "zod";
import { findModules } from "../config/find-files.ts";
import { andMore, headline, mostTelling, type Problem } from "../config/problem.ts";
import type { Listen, Settings } from "../config/settings.ts";
import { UsageError } from "../errors.ts";
import type { SourceFile } from "../rules/compile/compile.ts";
import { readSecrets } from "../rules/secrets.ts";
import {
  type AccountRegistry,
  AccountsFileError,
  openAccounts,
} from "../runtime/accounts/registry.ts";
import { openAccountNames, openStoredAccounts } from "../runtime/accounts/stored-accounts.ts";
import type { PlatformAccess } from "../runtime/platform/clients.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import { clockedLog, LogClock } from "../runtime/clock/log-clock.ts";
import { liveClock } from "../runtime/clock/platform-clock.ts";
import { followSandboxClock } from "../runtime/clock/sandbox-clock.ts";
import { openContinuity } from "../runtime/continuity/continuity.ts";
import type { Answers, ControlHandlers, Requests } from "../runtime/control/contract.ts";
import type { RuntimeStatus } from "../runtime/control/status-schema.ts";
import { itemQuery, journalQuery } from "../runtime/control/stored-schema.ts";
import { hideSecrets, secretLimits } from "./hide-secrets.ts";
import { type Log, RELOAD_STAGE } from "../runtime/log.ts";
import { cleanupStack, type CleanupStack } from "../runtime/loop/cleanup-stack.ts";
import { pollLoop } from "../runtime/loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../runtime/loop/throttle.ts";
import type { ServedConsole } from "./operating.ts";
import { HOLD_MS } from "../runtime/outbox/plan.ts";
import { type RecentLog, recordedLog } from "../runtime/control/recent-log.ts";
import { accessFor } from "../runtime/platform/platform-access.ts";
import { readSandboxFile, type SandboxFile } from "../runtime/platform/sandbox-file.ts";
import { worldOf } from "../runtime/platform/world-of.ts";
import { openRulesInForce } from "../runtime/reload/rules-in-force.ts";
import { nameOfProcess, roleOf } from "./roles/role.ts";
import { runtimeEvents, type RuntimeEventFeed } from "../runtime/runtime-events.ts";
import { startRuntime, type RuntimeParts } from "./runtime.ts";
import { isPostgresUrl, passwordsIn } from "../system/postgres-url.ts";
import { isWithin, projectFolders } from "../system/project-file.ts";
import { stateFolder } from "../system/state-folder.ts";
import { type SecretMask, secretMask } from "../system/secrets/secret-mask.ts";
import { watchFiles, type WatchFolders } from "../runtime/reload/watch-files.ts";
import type { StoreError } from "../runtime/store/errors.ts";
import { openStore, type StoreOptions } from "../runtime/store/open.ts";
import type { Store } from "../runtime/store/store.ts";

/** A bot at work. */
export interface Runtime {
  /** How it is now. */
  status(): Promise<RuntimeStatus>;
  /** What happens in it, from its start on. */
  readonly events: RuntimeEventFeed;
  /**
   * Events that came in and what became of them, newest first; 50 unless `limit` says how many, up to 1,000.
   *
   * @throws {UsageError} for a query that can't be read.
   */
  journal(query?: Requests["journal"]): Promise<Answers["journal"]>;
  /**
   * Actions that it sends and what became of them, newest first; 50 unless `limit` says how many, up to 1,000.
   *
   * @throws {UsageError} for a query that can't be read.
   */
  outbox(query?: Requests["outbox"]): Promise<Answers["outbox"]>;
  /** Links an account, or gives it new tokens; its events come from now on. */
  linkAccount(account: Requests["linkAccount"]): Promise<Answers["linkAccount"]>;
  /** Unlinks an account: its events end, its tokens are dropped. */
  unlinkAccount(id: string): Promise<Answers["unlinkAccount"]>;
  /** Keeps the events of an account, or of all, and neither decides on them nor sends anything; over restarts. */
  pause(request?: Requests["pause"]): Promise<Answers["pause"]>;
  /** Ends a pause, or lets the answers go that are held back for a person. */
  resume(request?: Requests["resume"]): Promise<Answers["resume"]>;
  /** Reads the rule files again and decides by them from now on; a broken rule goes on as it was. */
  reload(): Promise<Answers["reload"]>;
  /** Where the command line reaches it; its token is in `run.json` of the data folder. */
  readonly controlUrl: string;
  /**
   * Resolves when it can't go on, with why: its store's thread ended, or the store's file is damaged or gone.
   * It takes nothing in by then. Stop it, and open another.
   */
  readonly died: Promise<StoreError>;
  /** Takes nothing new, finishes what is under way, and closes everything. May be called again. */
  stop(): Promise<void>;
}

/** The parts of a runtime that a console shows. */
export interface ConsoleParts extends Pick<
  RuntimeParts,
  "folder" | "rules" | "clock" | "events" | "log"
> {
  readonly at: Listen;
  readonly handlers: ControlHandlers;
  readonly settings: Settings;
  readonly sandbox: SandboxFile | undefined;
  readonly base: string;
  readonly mask: SecretMask;
  readonly recent: RecentLog;
  readonly readRules: SettledOptions["readRules"];
}

export interface SettledOptions {
  readonly settings: Settings;
  /** Data folder of this machine, absolute: `run.json`, and what belongs to the store where that is in a folder. */
  readonly folder: string;
  /** Reads the rule files as they are now. */
  readonly readRules: () => Promise<readonly SourceFile[]>;
  /** Folder that the paths of rule files start from, absolute. */
  readonly base: string;
  /** `ANSWERBACK_KEY` opens the tokens at rest. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values of `secrets.NAME` in rules, by name; only those that rules use are read. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Gets to know every secret of this runtime by value. */
  readonly mask?: SecretMask;
  /** Called with what is wrong in the rules; they are logged unless it is given. */
  readonly onProblems?: ((problems: readonly Problem[]) => void) | undefined;
  /** Watches the folders of rule files and bot modules: they are read again when they change. Absent: by `reload` only. */
  readonly watch?: WatchFolders;
  /** Called once the webhook listens, before the platform is asked to call it. */
  readonly onListening?: RuntimeParts["onListening"];
  /** Nothing is sent: what would be is logged, and taken for done. Whoever says so gives a store of its own. */
  readonly dryRun?: boolean;
  /** How long this process keeps a partition of lanes after it was last heard of, in milliseconds; 15,000 unless given. */
  readonly leaseMs?: number;
  /** Serves the console; called only if the settings name a place for it. */
  readonly serveConsole: (parts: ConsoleParts) => Promise<ServedConsole>;
  /** Opens the store that the settings name, for a caller that stands between; the engine's own unless given. */
  readonly openStore?: (
    url: string,
    options: Pick<StoreOptions, "onDied" | "onMigrated" | "onWriter" | "postgres">,
  ) => Promise<Store>;
}

/**
 * Puts a runtime together from settings that are read already, and starts it.
 *
 * Everything that it opens is closed again when the start fails.
 *
 * @throws {UsageError} when something that the target needs is not set.
 * @throws {StoreError} when the store can't be opened.
 */
export async function openFromSettings(options: SettledOptions): Promise<Runtime> {
  const cleanup = cleanupStack(options.log);
  try {
    return await open(options, cleanup);
  } catch (error) {
    await cleanup.close();
    throw error;
  }
}

async function open(options: SettledOptions, cleanup: CleanupStack): Promise<Runtime> {
  const { settings, folder, base, onListening, watch, mask = secretMask() } = options;
  // Who says so wrongly learns of it before a store is made, or found to be another's.
  const isShared = options.openStore !== undefined || isPostgresUrl(settings.store.url);
  roleOf(settings.role, { isShared }, settings.source);
  for (const password of passwordsIn(settings.store.url)) mask.hide(password);
  const logClock = new LogClock();
  const clocked = clockedLog(options.log, logClock);
  const { listen: at } = settings.console;
  // who has no console keeps no lines for it
  const recorded = at && { at, ...recordedLog(clocked, logClock) };
  const log = recorded?.log ?? clocked;
  const sandbox = settings.target === "sandbox" ? await sandboxOf(settings, folder) : undefined;
  const platform = accessFor(settings, sandbox);
  const folders = projectFolders(base, [settings.file, ...settings.rules]);
  const limits = secretLimits(settings, options.environment, platform);
  const { store, died } = await storeOf(options);
  cleanup.add("the store", () => store.close());
  const rules = await openRulesInForce({
    read: options.readRules,
    store,
    log: log.child({ stage: RELOAD_STAGE }),
    look(ruleset) {
      const secrets = readSecrets(ruleset.secrets, options.secrets, limits);
      for (const value of Object.values(secrets.values)) mask.hide(value);
      return secrets.problems;
    },
    report: options.onProblems ?? logProblems(log),
  });
  const clock = await clockOf(sandbox, platform, { store, log, cleanup });
  logClock.follow(clock);
  const continuity = await continuityOf(options, { store, clock, log });
  const doubted = await store.takeUp(clock.now(), HOLD_MS);
  if (doubted > 0) {
    log.warn(
      { items: doubted },
      "the store may not know of all that was sent; these answers are looked up first",
    );
  }
  const events = runtimeEvents({
    now: () => clock.now(),
    onListenerError: (error) => log.error({ err: error }, "a listener of runtime events failed"),
  });

  if (continuity !== undefined) {
    events.on("item-settled", () => continuity.sent());
    cleanup.add("the mark of its generation", () => continuity.stop());
  }

  let { revision } = rules.ruleset;
  rules.onChanged((changes) => {
    if (rules.ruleset.revision === revision) return;
    ({ revision } = rules.ruleset);
    const { length: count } = rules.ruleset.rules;
    const changed = Object.values(changes).flat().length;
    events.publish({ type: "rules-changed", data: { revision, count, changed } });
  });

  const accounts = await accountsOf(options, { store, log, cleanup });
  await checkAccounts(accounts, store, folder);
  await accounts.sealAnew();
  hideSecrets(mask, {
    platform,
    accounts,
    others: [sandbox?.controlToken, options.environment["ANSWERBACK_KEY"]],
  });
  const { handlers, controlUrl } = await startRuntime({
    settings,
    platform,
    worldOf: () => worldOf(platform, sandbox),
    store,
    died,
    accounts,
    rules,
    resolveModule: (file, module) => resolve(base, dirname(file), module),
    secretsOf: (rule) => readSecrets(rule.secrets, options.secrets, limits).values,
    role: settings.role,
    name: nameOfProcess(settings.processName),
    ...(store.isShared && { seat: settings.processName ?? `${hostname()}:${folder}` }),
    findBots: () => findModules(settings.bots, base),
    projectFolders: folders,
    watchBots: watch && ((then) => watchFiles({ globs: settings.bots }, watch, then, log)),
    folder,
    stateFolder: stateFolder(options.environment),
    clock,
    log,
    mask,
    events,
    cleanup,
    ...(recorded && {
      serveConsole: (handlers) =>
        options.serveConsole({
          at: recorded.at,
          handlers,
          settings,
          sandbox,
          folder,
          base,
          rules,
          clock,
          events,
          log,
          mask,
          recent: recorded.recent,
          readRules: options.readRules,
        }),
    }),
    dryRun: options.dryRun,
    leaseMs: options.leaseMs,
    sharesStore: isPostgresUrl(settings.store.url) && options.dryRun !== true,
    ...(onListening === undefined ? {} : { onListening }),
  });
  if (watch !== undefined) {
    const isOfProject = (file: string) => folders.some((one) => isWithin(one, file));
    const unwatch = await watchFiles(
      {
        globs: settings.rules,
        others: () => rules.named.map((path) => resolve(base, path)).filter(isOfProject),
      },
      watch,
      () => rules.reload(),
      log,
    );
    cleanup.add("the watch over the rule files", unwatch);
  }
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

/** The store, and what resolves when it can't go on. */
async function storeOf({ openStore: open = openStore, settings, log }: SettledOptions) {
  let onDied = (_error: StoreError): void => {};
  const died = new Promise<StoreError>((resolve) => (onDied = resolve));
  const store = await open(settings.store.url, {
    postgres: {
      ...settings.postgres,
      onRisk: ({ message, hint }) => log.warn({ hint }, message),
    },
    onDied: (error) => {
      log.error({ err: error }, "the store can't go on");
      onDied(error);
    },
    onMigrated: ({ from, to, copy }) =>
      log.warn(
        { from, to, ...(copy !== undefined && { copy }) },
        copy === undefined
          ? `the tables of the store were brought up from schema version ${from} to ${to}`
          : "the store of an older version was brought up; it is kept as it was",
      ),
    onWriter: ({ from, to }) =>
      log.info({ from, to }, "another version of Answerback wrote the store before"),
  });
  return { store, died };
}

/** Notices a store that is a copy or older than what was sent; a dry run has a store of its own. */
async function continuityOf(
  { dryRun, folder, settings, environment }: SettledOptions,
  parts: Pick<RuntimeParts, "store" | "clock" | "log">,
) {
  if (dryRun === true) return undefined;
  return openContinuity({
    ...parts,
    file: isPostgresUrl(settings.store.url) ? undefined : join(folder, "store.db"),
    stateFolder: stateFolder(environment),
  });
}

/** How often it is looked whether another machine has changed the accounts, in real milliseconds. */
const ACCOUNTS_EVERY_MS = 1_000;

/** The linked accounts: in the folder of the data, or in the store where several machines share it. */
async function accountsOf(
  { settings, folder, environment }: SettledOptions,
  { store, log, cleanup }: Pick<RuntimeParts, "store" | "log" | "cleanup">,
): Promise<AccountRegistry> {
  const key = environment["ANSWERBACK_KEY"];
  if (!isPostgresUrl(settings.store.url)) return openAccounts(folder, key);
  // A receiver sends nothing: it opens no tokens, also where it was given the key.
  const accounts =
    settings.role === "receiver"
      ? await openAccountNames(store)
      : await openStoredAccounts(store, key);
  const loop = pollLoop({
    poll: () => accounts.look(),
    everyMs: ACCOUNTS_EVERY_MS,
    onError: throttle<unknown>(LOG_EVERY_MS, (error) =>
      log.error({ err: error }, "what other machines change of the accounts is not seen"),
    ),
  });
  cleanup.add("the look at the accounts", () => loop.stop());
  return accounts;
}

/** Under this name the store keeps that accounts were linked. */
const LINKED = "accounts-linked";

/** @throws {AccountsFileError} when there were linked accounts, and their file is gone. */
async function checkAccounts(
  accounts: Pick<AccountRegistry, "isThere" | "list">,
  store: Pick<Store, "getMeta" | "setMeta">,
  folder: string,
): Promise<void> {
  const wereLinked = (await store.getMeta(LINKED)) !== undefined;
  if (wereLinked && !accounts.isThere) {
    throw new AccountsFileError(`${folder}: accounts.json is gone, and there were linked accounts`);
  }
  if (!wereLinked && accounts.list().length > 0) await store.setMeta(LINKED, "yes");
}

function checkedQuery<T>(schema: z.ZodType<T>, query: object): T {
  const checked = schema.safeParse(query);
  if (checked.success) return checked.data;
  throw new UsageError(`the query can't be read: ${z.prettifyError(checked.error)}`);
}

/** Under this name the store keeps what the sandbox's clock showed last. */
const SHOWN_CLOCK = "sandbox-clock";
/** Under this name, with the machine's, the store keeps how far the live platform's clock is ahead, in milliseconds. */
const PLATFORM_CLOCK = "platform-clock";

async function clockOf(
  sandbox: SandboxFile | undefined,
  { baseUrl }: PlatformAccess,
  { store, log, cleanup }: Pick<RuntimeParts, "store" | "log" | "cleanup">,
): Promise<Clock> {
  if (sandbox === undefined) {
    const name = `${PLATFORM_CLOCK}:${hostname()}`;
    const memory = {
      read: () => store.getMeta(name),
      write: (text: string) => store.setMeta(name, text),
    };
    return liveClock({ baseUrl, log, memory });
  }
  const { controlUrl: url, controlToken: token } = sandbox;
  const followed = await followSandboxClock({ url, token }, log, {
    read: () => store.getMeta(SHOWN_CLOCK),
    write: (text) => store.setMeta(SHOWN_CLOCK, text),
  });
  cleanup.add("the sandbox's clock", () => followed.close());
  return followed;
}

async function sandboxOf(settings: Settings, folder: string): Promise<SandboxFile> {
  const file = await readSandboxFile(folder);
  if (file !== undefined) return file;
  throw new UsageError(`the target is the sandbox, and none runs with the data folder ${folder}`, {
    hint: `start both with: answerback dev   (or set target: live in ${settings.file ?? "config/answerback.yaml"})`,
  });
}

function logProblems(log: Log): (problems: readonly Problem[]) => void {
  return (problems) => {
    const shown = mostTelling(problems);
    for (const problem of shown) {
      const { severity, help } = problem;
      log[severity === "error" ? "error" : "warn"]({ ...(help && { help }) }, headline(problem));
    }
    const left = problems.length - shown.length;
    if (left > 0) log.warn(`${andMore(left)}: answerback check`);
  };
}
