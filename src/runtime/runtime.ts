import type { Settings } from "../config/settings.ts";
import type { CompiledRule } from "../rules/ruleset.ts";
import type { AccountRegistry } from "./accounts/registry.ts";
import { type ServedAccounts, servedAccounts } from "./accounts/served-accounts.ts";
import { type AnsweringNeeds, startAnswering } from "./answering.ts";
import { startCatchup } from "./catchup/catchup.ts";
import { clientsFor, type PlatformAccess } from "./clients.ts";
import type { Clock } from "./clock/clock.ts";
import type { ControlHandlers } from "./control/contract.ts";
import { intakeOf } from "./intake.ts";
import type { Log } from "./log.ts";
import type { CleanupStack } from "./loop/cleanup-stack.ts";
import { settlesWithin } from "./loop/settles-within.ts";
import { listenedTo } from "./reload/listened-to.ts";
import { liveness } from "./liveness.ts";
import { type OperatingNeeds, startOperating } from "./operating.ts";
import { openPausing } from "./pausing.ts";
import { confirmWorld, type WorldConfirmation } from "./platform/confirm-world.ts";
import { provenDeliveries } from "./proven-deliveries.ts";
import { readiness, type Missing, type ReadinessPart } from "./readiness.ts";
import { publishAccountChanges, type RuntimeEvents } from "./runtime-events.ts";
import { openCrashTrial } from "./runs/crash-trial.ts";
import type { SecretMask } from "../system/secret-mask.ts";
import { storeHealth } from "./store-health.ts";
import type { Store } from "./store/store.ts";
import { appending, journalOf, startOwnEvents, startSources } from "./taking-in.ts";
import { openTelemetry } from "./telemetry/telemetry.ts";
import type { World } from "./store/world-claim.ts";
import type { RulesInForce } from "./reload/rules-in-force.ts";
import { undecidedCount } from "./undecided.ts";

export type { PlatformAccess } from "./clients.ts";

/** What a runtime is made of. `openRuntime` puts it together. */
export interface RuntimeParts {
  readonly settings: Pick<
    Settings,
    | "target"
    | "accounts"
    | "source"
    | "webhook"
    | "metrics"
    | "limits"
    | "optOut"
    | "quietHours"
    | "http"
    | "botLimits"
  >;
  readonly platform: PlatformAccess;
  /** Asks which world the platform keeps; rejects while nobody answers. Absent: the store's. */
  readonly worldOf?: () => Promise<World>;
  readonly store: Store;
  /** Resolves when the store can't go on. */
  readonly died?: Promise<Error>;
  readonly accounts: AccountRegistry;
  readonly rules: RulesInForce;
  /** Absolute path of a module that a rule file calls, as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
  /** The bot modules as they are named now; absolute paths. */
  readonly findBots: AnsweringNeeds["findBots"];
  readonly watchBots?: AnsweringNeeds["watchBots"];
  /** Nothing is sent: what would be is logged, and taken for done. */
  readonly dryRun?: boolean | undefined;
  /** Folder that gets `run.json`. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Cuts secrets out of what the control server answers. */
  readonly mask?: SecretMask;
  readonly events: RuntimeEvents;
  /** Gets everything that is opened here. The caller closes it, also when the start fails. */
  readonly cleanup: CleanupStack;
  readonly serveConsole?: OperatingNeeds["serveConsole"];
  /** Called once the webhook listens, before the platform is asked to call it. */
  readonly onListening?: (at: { readonly host: string; readonly port: number }) => Promise<void>;
}

/** Real milliseconds for which a start waits for the platform. It goes on without it. */
const FIRST_LOOK_MS = 10_000;

/** A bot at work. */
export interface StartedRuntime {
  readonly handlers: ControlHandlers;
  readonly controlUrl: string;
}

/**
 * Starts a bot: takes events in, decides, answers.
 *
 * The order is the flow's, backwards: what answers is there before what asks, and the platform learns
 * of the webhook last. Stopping goes the other way, and has an end: what is not done by then stays in
 * the store for the next start.
 *
 * A platform that is away holds up nothing: the status says what is missing, and it is tried again.
 *
 * @throws {UsageError} when an account is not linked or the webhook's address is taken.
 */
export async function startRuntime(parts: RuntimeParts): Promise<StartedRuntime> {
  const { platform, clock, log, events, store, cleanup, settings } = parts;
  const telemetry = openTelemetry({ ...parts, measured: settings.metrics.listen !== undefined });
  cleanup.add("the telemetry", () => telemetry.stop());
  const state = readinessOf(parts);
  const accounts = servedAccounts(parts.accounts, settings.accounts);
  cleanup.add("account events", publishAccountChanges(events, accounts.subscribe));
  const world = await worldFor(parts, state.platform);
  const clientOwner = (id: string) => (world.isConfirmed() ? accounts.find(id) : undefined);
  const clients = clientsFor(platform, clientOwner, clock, telemetry.onAttempt);
  cleanup.add("the client", () => clients.stop());

  const { health, missing } = state;
  void parts.died?.then(health.failed);
  const pausing = await openPausing(parts);
  const trial = await openCrashTrial({ store, log: log.child({ stage: "runs" }) });
  cleanup.add("the note that it is at work", () => trial.close());
  const { memoryMb: botMemoryMb } = settings.botLimits;
  const needs = {
    ...parts,
    ruleset: () => parts.rules.ruleset,
    accountOf: accounts.find,
    clients,
    health,
    limitsOf: ownOr(settings.limits.accounts, settings.limits.all, accounts),
    optOut: settings.optOut,
    quietHoursOf: ownOr(settings.quietHours.accounts, settings.quietHours.all, accounts),
    pausing,
    telemetry,
    trial,
    botMemoryMb,
    allowedHosts: settings.http.allow,
  };
  const answering = await startAnswering(needs);
  await parts.rules.follow((ids) => answering.rulesChanged(ids));

  const catchup = startCatchup({
    ...parts,
    monotonic: () => performance.now(),
    log: log.child({ stage: "catchup" }),
    publish: events.publish,
    accounts,
    app: clients.app,
    clientOf: clients.of,
    webhookId: () => link.status().webhookId,
    append: (delivery, raw) => keepAs("backfill")(delivery, raw),
    noReplay: settings.source === "activity" ? "the activity interface has no replay" : undefined,
  });
  cleanup.add("the catch-up", () => catchup.stop());
  const journal = journalOf(parts, answering, { catchup, telemetry });
  const keepAs = appending(journal, health);
  const undecided = undecidedCount({ stats: () => store.stats(), onError: health.failed });
  const readiness = state.intake;
  const alive = liveness(() => store.getMeta("write-probe"));
  const seenBy = { readiness, missing, alive, undecided, telemetry };
  const triggers = () => listenedTo(parts.rules.ruleset, answering.bots.bots);
  const intakeNeeds = { ...parts, accounts, clients, triggers, ...seenBy };
  const { sources, server: source, link, watch } = intakeOf(intakeNeeds);
  cleanup.add("the webhook link", () => link.stop());
  const readMissed = async (): Promise<void> => {
    // Polling goes on from its own cursor.
    if (settings.source !== "polling") await catchup.readMissed();
  };
  const isThere = world.isConfirmed();
  if (isThere) await readMissed();

  const onArrived = (account: string): void => link.arrived({ kind: "delivery", account });
  const taking = { keepAs, gate: catchup.gate, cleanup, world, onArrived, telemetry };
  await startSources(sources, taking);
  startOwnEvents({ ...parts, accounts, keepAs, world, watch });
  await parts.onListening?.(source.status());
  const listeningSince = clock.now();
  const establish = async (): Promise<void> => {
    await settlesWithin(FIRST_LOOK_MS, link.start());
    catchup.follow(provenDeliveries(link, listeningSince));
  };
  if (isThere) await establish();
  else {
    world.onConfirmed(() => {
      readMissed()
        .then(establish)
        .catch((error: unknown) => log.error({ err: error }, "the link was not made"));
    });
  }

  const { control, handlers } = await startOperating({
    ...parts,
    served: accounts,
    link,
    catchup,
    answering,
    source,
    pausing,
    missing,
    trial,
    metrics: telemetry.metrics,
  });
  cleanup.add("readiness", () => state.runtime.notReady("stopping"));
  state.runtime.ready();
  log.info({ webhook: platform.webhookUrl, accounts: accounts.list().length }, "ready");
  return { handlers, controlUrl: control.url };
}

/** What holds for an account: its own, by its handle, else what holds for all. */
function ownOr<T>(
  own: ReadonlyMap<string, T>,
  all: T,
  accounts: Pick<ServedAccounts, "find">,
): (account: string) => T {
  if (own.size === 0) return () => all;
  return (id) => own.get(accounts.find(id)?.username.toLowerCase() ?? "") ?? all;
}

/** Makes sure that the platform is the one that the store belongs to. */
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

/** The parts that have to work before the platform may send anything here. */
function readinessOf({ store, clock, settings }: RuntimeParts) {
  const all = readiness();
  const runtime = all.part("runtime", "starting");
  const platform = all.part("platform", "not asked yet");
  const intake =
    settings.source === "polling"
      ? all.part("polling", "no account's messages have been read yet")
      : all.part("webhook", "the webhook is not registered yet");
  const health = storeHealth({
    readiness: all.part("store", "opening"),
    probe: () => store.setMeta("write-probe", new Date(clock.now()).toISOString()),
  });
  const missing = async (): Promise<readonly Missing[]> => {
    await health.recheck();
    return all.missing();
  };
  return { runtime, platform, intake, health, missing };
}
