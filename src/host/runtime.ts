import type { RoleSetting, Settings } from "../config/settings.ts";
import type { CompiledRule } from "../rules/ruleset.ts";
import type { AccountRegistry } from "../runtime/accounts/registry.ts";
import { alarmOnRevoked } from "../runtime/accounts/account-alarm.ts";
import { type ServedAccounts, servedAccounts } from "../runtime/accounts/served-accounts.ts";
import { type AnsweringNeeds, startAnswering } from "./answering.ts";
import { clientsFor, type PlatformAccess } from "../runtime/platform/clients.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import type { ControlHandlers } from "../runtime/control/contract.ts";
import { serverOf } from "./intake.ts";
import { followInstances } from "./follow-instances.ts";
import type { Log } from "../runtime/log.ts";
import { sentElsewhere } from "../runtime/continuity/sent-elsewhere.ts";
import { HOLD_MS } from "../runtime/outbox/plan.ts";
import type { CleanupStack } from "../runtime/loop/cleanup-stack.ts";
import { listenedTo } from "../runtime/reload/listened-to.ts";
import { liveness } from "./liveness.ts";
import { type OperatingNeeds, startOperating } from "./operating.ts";
import { openPausing } from "./pausing.ts";
import { confirmWorld, type WorldConfirmation } from "../runtime/platform/confirm-world.ts";
import { idleParts } from "./idle-parts.ts";
import { readiness, type Missing, type ReadinessPart } from "../runtime/readiness.ts";
import { followOthers, joinColleagues, leasesElsewhere } from "./roles/among-others.ts";
import { leadershipOf } from "./roles/leadership.ts";
import { leadingOf } from "./roles/leading.ts";
import { fencedStore } from "./roles/leases-fence.ts";
import { notAnswering } from "./roles/not-answering.ts";
import { receptionOf } from "./roles/reception.ts";
import { nameOfProcess, roleOf } from "./roles/role.ts";
import { openTerm } from "./roles/term.ts";
import { publishAccountChanges, type RuntimeEvents } from "../runtime/runtime-events.ts";
import { NO_TRIAL, openCrashTrial } from "../runtime/runs/crash-trial.ts";
import type { SecretMask } from "../system/secrets/secret-mask.ts";
import { storeHealth } from "./store-health.ts";
import type { Store } from "../runtime/store/store.ts";
import { appending, journalOf, startSource } from "./taking-in.ts";
import { openTelemetry } from "../runtime/telemetry/telemetry.ts";
import type { World } from "../runtime/store/world-claim.ts";
import type { RulesInForce } from "../runtime/reload/rules-in-force.ts";
import { undecidedCount } from "./undecided.ts";

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
    | "posts"
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
  readonly projectFolders: AnsweringNeeds["projectFolders"];
  readonly watchBots?: AnsweringNeeds["watchBots"];
  /** What this process does, where several share the store; all unless given. */
  readonly role?: RoleSetting;
  /** The name of this process, unique among all that ever work on the store; a new one unless given. */
  readonly name?: string;
  /** Names the place of this process where several share the store: it follows the one that was there before. */
  readonly seat?: string | undefined;
  /** Other processes have the same store, and send, too. */
  readonly sharesStore?: boolean;
  /** Nothing is sent: what would be is logged, and taken for done. */
  readonly dryRun?: boolean | undefined;
  readonly leaseMs?: AnsweringNeeds["leaseMs"];
  /** Folder that gets `run.json`. */
  readonly folder: string;
  /** Folder for what this machine remembers beside data folders; undefined where it has none. */
  readonly stateFolder?: string | undefined;
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
export async function startRuntime(given: RuntimeParts): Promise<StartedRuntime> {
  const { name = nameOfProcess(undefined) } = given;
  const { isShared } = given.store;
  const parts = isShared ? { ...given, log: given.log.child({ process: name }) } : given;
  const { platform, clock, log, events, store, cleanup, settings } = parts;
  const role = roleOf(parts.role ?? "all", store, settings.source);
  const telemetry = openTelemetry({ ...parts, measured: settings.metrics.listen !== undefined });
  cleanup.add("the telemetry", () => telemetry.stop());
  const state = readinessOf(parts);
  const accounts = servedAccounts(parts.accounts, settings.accounts);
  cleanup.add("account events", publishAccountChanges(events, accounts.subscribe));
  const world = await worldFor(parts, state.platform);
  const clientOwner = (id: string) => (world.isConfirmed() ? accounts.find(id) : undefined);
  const clients = clientsFor(platform, clientOwner, clock, telemetry.onAttempt);
  cleanup.add("the client", () => clients.stop());

  cleanup.add("the alarm on revoked accounts", alarmOnRevoked(accounts, log));
  const { health } = state;
  void parts.died?.then(health.failed);
  const pausing = await openPausing(parts);
  const instances = await followInstances({ ...parts, accounts, pausing, world });
  const reception = receptionOf();
  const own = await joinColleagues({ ...parts, name, role, reception });
  const { colleagues } = own;
  let isMissedRead = false;
  const needs = {
    ...parts,
    name,
    elsewhere: () => leasesElsewhere(colleagues),
    ruleset: () => parts.rules.ruleset,
    accountOf: accounts.find,
    clients,
    health,
    limitsOf: ownOr(settings.limits.accounts, settings.limits.all, accounts),
    optOut: settings.optOut,
    quietHoursOf: ownOr(settings.quietHours.accounts, settings.quietHours.all, accounts),
    posting: settings.posts,
    pausing,
    telemetry,
    botLimits: settings.botLimits,
    allowedHosts: settings.http.allow,
    // What was missed shows whether another store has sent an answer that waits here.
    maySend: () => isMissedRead && instances.isChecked(),
    onDecided: instances.onDecided,
  };
  const { answering, trial } = role.answers
    ? await startToAnswer(needs, parts)
    : { answering: notAnswering(needs), trial: NO_TRIAL };

  const leadership = role.answers
    ? leadershipOf({
        leases: answering.leases,
        log,
        onIdle: () => state.intake.ready(),
        open: () =>
          openTerm({
            ...parts,
            store: isShared ? fencedStore(store, leads) : store,
            isShared,
            accounts,
            clients,
            triggers: () => listenedTo(parts.rules.ruleset, answering.bots.bots),
            readiness: state.intake,
            world,
            leads,
            keepAs: (source) => keepAs(source),
            onArrived: (account) => link.arrived({ kind: "delivery", account }),
            telemetry,
            colleagues,
            onFound: sentElsewhere({ store, clock, log, holdMs: HOLD_MS }),
            onOtherWebhook: instances.onOtherWebhook,
            onMissedRead: () => (isMissedRead = true),
          }),
      })
    : undefined;
  const leads = (): boolean => leadership?.leads() === true;
  if (leadership === undefined) state.intake.ready();
  else cleanup.add("what the leader does", () => leadership.stop());
  const leading = leadingOf({ ...parts, accounts, leadership, colleagues, reception });
  const { link, catchup } = leading;
  own.tell({ leases: () => answering.leases.held(), leading: () => leading.note() });
  const missing = async (): Promise<readonly Missing[]> => [
    ...(await state.missing()),
    ...idleParts({ accounts, link, answering, clock }),
  ];
  const journal = journalOf(parts, answering, { catchup, telemetry });
  const keepAs = appending(journal, health);
  await leadership?.prepare();
  if (!leads()) isMissedRead = true;

  const undecided = undecidedCount({ stats: () => store.stats(), onError: health.failed });
  const alive = liveness(() => store.getMeta(PROBE));
  const { arrived } = link;
  const serving = { accounts, undecided, telemetry, arrived };
  const server = serverOf({ ...parts, missing, alive }, role.takesIn ? serving : undefined);
  const onArrived = (account: string): void => link.arrived({ kind: "delivery", account });
  cleanup.add("its place among those that take in", () => own.leaves());
  await startSource(server, {
    keepAs,
    gate: catchup.gate,
    cleanup,
    world,
    onArrived,
    telemetry,
  });
  if (role.takesIn) {
    const serves = (): Promise<void> => {
      reception.serves();
      return own.hasNews();
    };
    if (world.isConfirmed()) await serves();
    else world.onConfirmed(() => void serves());
    await parts.onListening?.(server.status());
  }
  await leadership?.begin();
  if (isShared) cleanup.add("what others change", followOthers(parts, pausing, log));

  const { control, handlers } = await startOperating({
    ...parts,
    served: accounts,
    link,
    catchup,
    answering,
    source: server,
    keepAs,
    world,
    pausing,
    missing,
    trial,
    others: instances.others,
    metrics: telemetry.metrics,
    colleagues,
  });
  cleanup.add("readiness", () => state.runtime.notReady("stopping"));
  state.runtime.ready();
  log.info({ webhook: platform.webhookUrl, accounts: accounts.list().length }, "ready");
  return { handlers, controlUrl: control.url };
}

/** Starts what decides and sends, after it was found out what ended the process before. */
async function startToAnswer(
  needs: Omit<AnsweringNeeds, "trial"> & Pick<RuntimeParts, "folder">,
  { rules, seat }: Pick<RuntimeParts, "rules" | "seat">,
) {
  const { store, log, cleanup } = needs;
  const trial = await openCrashTrial({ store, log: log.child({ stage: "runs" }), seat });
  cleanup.add("the note that it is at work", () => trial.close());
  const answering = await startAnswering({ ...needs, trial });
  await rules.follow((ids) => answering.rulesChanged(ids));
  const { together } = rules;
  if (together !== undefined) answering.leases.onTaken(() => together.taken());
  return { answering, trial };
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

/** Name of the value that shows whether the store reads and writes. */
const PROBE = "write-probe";

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
    probe: () => store.setMeta(PROBE, new Date(clock.now()).toISOString()),
    ask: () => store.getMeta(PROBE),
  });
  const missing = async (): Promise<readonly Missing[]> => {
    await health.recheck();
    return all.missing();
  };
  return { runtime, platform, intake, health, missing };
}
