import type { RoleSetting, Settings } from "../config/settings.ts";
import type { CompiledRule } from "../rules/ruleset.ts";
import { alarmOnRevoked } from "../runtime/accounts/account-alarm.ts";
import type { AccountRegistry } from "../runtime/accounts/registry.ts";
import { type ServedAccounts, servedAccounts } from "../runtime/accounts/served-accounts.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { CleanupStack } from "../runtime/loop/cleanup-stack.ts";
import { type Clients, clientsFor, type PlatformAccess } from "../runtime/platform/clients.ts";
import { confirmWorld, type WorldConfirmation } from "../runtime/platform/confirm-world.ts";
import { type Missing, readiness, type ReadinessPart } from "../runtime/readiness.ts";
import type { RulesInForce } from "../runtime/reload/rules-in-force.ts";
import { publishAccountChanges, type RuntimeEvents } from "../runtime/runtime-events.ts";
import type { Store } from "../runtime/store/store.ts";
import type { World } from "../runtime/store/world-claim.ts";
import { openTelemetry, type Telemetry } from "../runtime/telemetry/telemetry.ts";
import { type StoreHealth, storeHealth } from "./health/store-health.ts";
import { type Role, roleOf } from "./roles/role.ts";

/** Settings that the stages of a bot use. */
export type BotSettings = Pick<
  Settings,
  | "target"
  | "accounts"
  | "source"
  | "search"
  | "webhook"
  | "metrics"
  | "limits"
  | "optOut"
  | "quietHours"
  | "http"
  | "botLimits"
  | "posts"
>;

/** Parts of a bot that nearly every stage needs. A stage picks its parts with `Pick`. */
export interface BotParts {
  readonly settings: BotSettings;
  readonly platform: PlatformAccess;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: RuntimeEvents;
  /** Accounts that this bot answers for. */
  readonly accounts: ServedAccounts;
  readonly clients: Clients;
  readonly rules: RulesInForce;
  readonly telemetry: Telemetry;
  readonly health: StoreHealth;
  /** Collects everything that is opened. The caller closes this stack, also when the start fails. */
  readonly cleanup: CleanupStack;
}

/** Bot modules, and code and secrets that rules use. */
export interface BotModules {
  /** Returns the absolute path of a module that a rule file calls. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Returns the values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
  /** Finds the bot modules that the settings name, as absolute paths. */
  readonly findBots: () => Promise<readonly string[]>;
  /** Returns the absolute paths of modules that rules call, and of project files that bots and these modules import. */
  readonly findUsed: (bots: readonly string[]) => Promise<readonly string[]>;
  /** Loading time for which the start waits for a module, in milliseconds; absent: the default of the bots' host. */
  readonly patienceMs?: number | undefined;
  /** Absolute folders of the project: rules may call modules in these folders only. */
  readonly projectFolders: readonly string[];
  /** Registers a function that is called when a file of the project has changed, which may be a module. */
  readonly onFiles?: (then: () => Promise<void>) => void;
}

/** Identity of this process among the processes of its store, and its folders. */
export interface HostProcess {
  readonly role?: RoleSetting;
  /**
   * Name of the process, unique among all processes that ever use the store. The process holds its leases under this
   * name.
   */
  readonly name: string;
  /**
   * Name that the process keeps when it is restarted, in a shared store. The next process with this name succeeds it.
   */
  readonly stableName?: string | undefined;
  /** Data folder, in which `run.json` is written. */
  readonly folder: string;
  /** Folder for state of this machine outside data folders; undefined if the machine has none. */
  readonly stateFolder?: string | undefined;
  /** Whether other processes may send from the same store. The platform's rate limits are then shared with them. */
  readonly sharesStore?: boolean | undefined;
  /** Whether items are logged and counted as done without being sent. */
  readonly dryRun?: boolean | undefined;
  /** Time to live of a lease in milliseconds. It must be longer than a request may take. @default 15_000 */
  readonly leaseMs?: number | undefined;
}

/** Parts with which a runtime is started. {@link completeParts} creates the other parts. */
export interface RuntimeParts extends Omit<
  BotParts,
  "accounts" | "clients" | "telemetry" | "health"
> {
  /** All linked accounts, including accounts that the settings leave out. */
  readonly registry: AccountRegistry;
  readonly process: HostProcess;
  readonly modules: BotModules;
  /**
   * Asks the platform for its world: the sandbox's world id, or the app on the live platform. Rejects while the
   * platform does not answer. Absent: the store is not checked against the world.
   */
  readonly worldOf?: () => Promise<World>;
  /** Resolves with the error when the store has failed for good. */
  readonly died?: Promise<Error>;
}

/** Parts of a bot, with its process's role, the check that the store belongs to the platform, and the readiness. */
export interface HostedBot
  extends BotParts, Pick<RuntimeParts, "registry" | "process" | "modules"> {
  readonly role: Role;
  readonly world: WorldConfirmation;
  /**
   * Readiness of the runtime, of the platform and of the arrival of events, with the list of parts that are missing.
   */
  readonly state: Omit<ReturnType<typeof stateOf>, "health">;
}

/** Name of a value in the store that is read and written only to test whether the store works. */
export const PROBE = "write-probe";

/**
 * Creates the other parts from the passed ones: telemetry, served accounts, clients of the platform.
 *
 * @throws {UsageError} when an account of the settings is not linked, or the store belongs to another platform.
 */
export async function completeParts(parts: RuntimeParts): Promise<HostedBot> {
  const { settings, platform, store, clock, events, cleanup, process } = parts;
  const log = store.isShared ? parts.log.child({ process: process.name }) : parts.log;
  const role = roleOf(process.role ?? "all", store, settings.source);
  const measured = settings.metrics.listen !== undefined;
  const telemetry = openTelemetry({ store, clock, events, log, measured });
  cleanup.add("the telemetry", () => telemetry.stop());
  const { health, ...state } = stateOf(parts);
  const accounts = servedAccounts(parts.registry, settings.accounts);
  cleanup.add("account events", publishAccountChanges(events, accounts.subscribe));
  const world = await worldFor({ ...parts, log }, state.platform);
  const owner = (id: string) => (world.isConfirmed() ? accounts.find(id) : undefined);
  const clients = clientsFor(platform, owner, clock, telemetry.onAttempt);
  cleanup.add("the client", () => clients.stop());
  cleanup.add("the alarm on revoked accounts", alarmOnRevoked(accounts, log));
  void parts.died?.then(health.failed);
  return { ...parts, log, role, telemetry, accounts, clients, world, health, state };
}

/** Checks that the store was used with this platform before; skips the check without `worldOf`. */
async function worldFor(
  { worldOf, store, log, cleanup }: RuntimeParts,
  part: ReadinessPart,
): Promise<WorldConfirmation> {
  if (worldOf === undefined) {
    part.ready();
    return { isConfirmed: () => true, onConfirmed: (then) => then(), stop: async () => {} };
  }
  const random = Math.random;
  const world = await confirmWorld({ worldOf, store, log, readiness: part, random });
  cleanup.add("the platform's confirmation", () => world.stop());
  return world;
}

function stateOf({ store, clock, settings }: RuntimeParts) {
  const all = readiness();
  const runtime = all.part("runtime", "starting");
  const platform = all.part("platform", "not asked yet");
  const intake =
    settings.source === "polling"
      ? all.part("polling", "no account's messages have been read yet")
      : all.part("webhook", "the webhook is not registered yet");
  const health = storeHealth({
    readiness: all.part("store", "opening"),
    probe: () => store.setMeta(PROBE, new Date(clock.now()).toISOString()),
    ask: () => store.getMeta(PROBE),
  });
  const missing = async (): Promise<readonly Missing[]> => {
    await health.recheck();
    return all.missing();
  };
  return { runtime, platform, intake, health, missing };
}
