import type { Settings } from "../config/settings.ts";
import type { Posting } from "../protocol/public-text/posting.ts";
import type { BotHost } from "../bots/bot-host.ts";
import { startBots } from "../bots/host.ts";
import type { BotLogLine } from "../bots/messages.ts";
import type { AccountEvent } from "../events/event.ts";
import type { CompiledRule, Ruleset } from "../rules/ruleset.ts";
import type { LinkedAccount } from "../runtime/accounts/linked-account.ts";
import {
  REQUEST_TIMEOUT_MS,
  type Clients,
  type PlatformAccess,
} from "../runtime/platform/clients.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import { type Log, RELOAD_STAGE } from "../runtime/log.ts";
import type { CleanupStack } from "../runtime/loop/cleanup-stack.ts";
import type { LeaseHolders } from "../runtime/loop/lease-holders.ts";
import { type HeldLeases, holdLeases } from "../runtime/loop/leases.ts";
import { retryingWrites, type RetryingWrites } from "../runtime/loop/retrying-store.ts";
import { askedByBots } from "../runtime/outbox/asked-by-bots.ts";
import { type ItemWatch, itemWatch } from "../runtime/outbox/item-watch.ts";
import { type Outbox, startOutbox } from "../runtime/outbox/outbox.ts";
import { type ByHand, byHand } from "../runtime/outbox/by-hand.ts";
import { changeItem } from "../runtime/outbox/change-item.ts";
import type { HeldByHand, HeldLane } from "../runtime/outbox/held-by-hand.ts";
import { heldAnswers } from "../runtime/outbox/held.ts";
import { dryPerformer } from "../runtime/outbox/dry-run.ts";
import { finder, performer } from "../runtime/outbox/perform.ts";
import { type Reconciler, startReconciler } from "../runtime/outbox/reconcile.ts";
import { postponer } from "../runtime/outbox/postpone.ts";
import type { Gate } from "../runtime/outbox/gate/gate.ts";
import { openSharedBudgets } from "../runtime/outbox/gate/open-shared-budgets.ts";
import { alarmedGate } from "./outbox-alarm.ts";
import type { OpeningHours } from "../hours/opening-hours.ts";
import { heldAlarm, personNames } from "./held-alarm.ts";
import type { Pausing } from "./pausing.ts";
import type { Missing } from "../runtime/readiness.ts";
import { allowedHosts } from "../runtime/requests/allowed-hosts.ts";
import { dryRequests } from "../runtime/requests/dry-request.ts";
import { sendRequest } from "../runtime/requests/send-request.ts";
import { type BotsInForce, openBotsInForce } from "../runtime/reload/bots-in-force.ts";
import { rememberedBots } from "../runtime/reload/remembered-bots.ts";
import type { RuntimeEvents } from "../runtime/runtime-events.ts";
import { trunkOf } from "../runtime/runs/parallel/branch-owner.ts";
import type { CrashTrial } from "../runtime/runs/crash-trial.ts";
import { commitBatcher } from "../runtime/runs/commit-batcher.ts";
import type { EffectPerformer } from "../runtime/runs/effect.ts";
import { endingWith } from "../system/ending.ts";
import { eventReader, type EventReader } from "../runtime/runs/entry-event.ts";
import { interpreter } from "../runtime/runs/interpreter.ts";
import type { Interpretation, LaneEvent } from "../runtime/runs/lane-event.ts";
import type { OptOut } from "../runtime/runs/restraints/opt-out-words.ts";
import type { ReplyLimits } from "../runtime/runs/restraints/reply-limits.ts";
import { openRuleArchive } from "../runtime/runs/rule-archive.ts";
import type { StoreHealth } from "./store-health.ts";
import type { TakeInNeeds } from "../runtime/runs/take-in.ts";
import type { Telemetry } from "../runtime/telemetry/telemetry.ts";
import { startWorker, type RunWorker, type WorkerStatus } from "../runtime/runs/worker.ts";
import { countedAs } from "../runtime/store/item.ts";
import type { Store } from "../runtime/store/store.ts";

/** Real milliseconds before an item is looked at again that may have been changed elsewhere. */
const LOOK_AGAIN_MS = 1_000;
/** Real milliseconds between two looks for what other processes have taken in. */
const SHARED_POLL_MS = 200;
/**
 * Real milliseconds between two such looks at least, where one follows another because there is much to do: a look at a
 * server costs as much for one row as for a hundred.
 */
const SHARED_REST_MS = 10;
/** Lanes at work at once, and requests under way: what is kept together shares a trip to the server and a sync. */
const SHARED_LANES = 256;
const SHARED_REQUESTS = 128;

/** What works off the store is made of. */
export interface AnsweringNeeds {
  /** The name under which this process holds leases. */
  readonly name: string;
  /** Who holds leases in other processes; nobody unless given. */
  readonly elsewhere?: LeaseHolders;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: RuntimeEvents;
  /** The rules that decide now. */
  readonly ruleset: () => Ruleset;
  /** The bot modules as they are named now; absolute paths. */
  readonly findBots: () => Promise<readonly string[]>;
  /** Folders of the project, absolute: rules call no module elsewhere. */
  readonly projectFolders: readonly string[];
  /** Called when modules beside bots change, until what it gives is called; bots are loaded anew by `reload` only unless given. */
  readonly watchBots?: ((then: () => Promise<void>) => Promise<() => void>) | undefined;
  /** Limits of one thread of bots; the host's own unless given. */
  readonly botLimits?: Settings["botLimits"];
  /** Entries that an ended process left, and of which one may have been its end. */
  readonly trial?: CrashTrial | undefined;
  /** Absolute path of a module that a rule file calls, as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
  /** The linked account of a user id, as of now. */
  readonly accountOf: (id: string) => LinkedAccount | undefined;
  readonly clients: Pick<Clients, "of">;
  readonly platform?: Pick<PlatformAccess, "dialect">;
  /** Learns what became of the writes that are repeated until they are kept. */
  readonly health: StoreHealth;
  /** Nothing is measured or traced unless it is given. */
  readonly telemetry?: Telemetry;
  /** What an account may answer before its answers are held back. */
  readonly limitsOf: (account: string) => ReplyLimits;
  /** How people say that they want to hear no more; nobody can unless given. */
  readonly optOut?: OptOut | undefined;
  /** When an account does not speak first. */
  readonly quietHoursOf?: (account: string) => OpeningHours | undefined;
  /** How texts are published; as usual unless given. */
  readonly posting?: Posting | undefined;
  readonly pausing: Pausing;
  /** Called with each event that is decided. @param read Reads it. */
  readonly onDecided?: ((kind: string, read: () => AccountEvent) => void) | undefined;
  /** Whether anything is sent yet; it is unless given. */
  readonly maySend?: () => boolean;
  /** Other processes have the same store, and send, too: the platform's limits are shared with them. */
  readonly sharesStore?: boolean | undefined;
  /** Nothing is sent: what would be is logged, and taken for done. */
  readonly dryRun?: boolean | undefined;
  /** How long a lease holds without being renewed, in milliseconds; longer than a request may take. 15,000 unless given. */
  readonly leaseMs?: number | undefined;
  /** Hosts that rules may ask; none unless given. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly cleanup: CleanupStack;
}

/** What works off the store, at work. */
export interface Answering {
  readonly bots: Pick<BotHost, "bots" | "faults" | "loading" | "trouble">;
  readonly inForce: Pick<BotsInForce, "reload">;
  readonly leases: Pick<HeldLeases, "held" | "onTaken" | "onLost">;
  /** Changes of items that the operator asks for. */
  readonly items: ByHand;
  /** Answers that are held back. */
  readonly held: HeldByHand;
  /** The handle of whoever a lane answers, where the journal still has it. */
  readonly usernameOf: (held: Pick<HeldLane, "seq" | "lane">) => Promise<string | undefined>;
  /** What keeps answers from being sent; empty when nothing does. */
  readonly stalled: () => readonly Missing[];
  /** What the platform's limits leave, and which endpoints don't answer. */
  readonly gate: Pick<Gate, "budgets" | "circuits">;
  /** Events came in, and are in the journal. */
  arrived(events: readonly AccountEvent[]): void;
  /** Rules were changed or removed: those of their runs end that are not to go on. */
  rulesChanged(ids: readonly string[]): Promise<void>;
  status(): WorkerStatus & ReturnType<Outbox["status"]> & ReturnType<HeldLeases["status"]>;
}

/** What both the outbox and the worker stand on. */
interface Ground extends AnsweringNeeds {
  readonly leases: HeldLeases;
  /** Writes that are repeated until they are kept. */
  readonly writes: RetryingWrites;
}

/** Starts what works off the store: the worker that decides, the bots it asks, the outbox that sends. */
export async function startAnswering(needs: AnsweringNeeds): Promise<Answering> {
  const { store, clock, log, events, cleanup } = needs;
  const ground = await takeGround(needs);
  let wakeWorker = (): void => {};
  const reader = eventReader();
  const usernameOf = personNames(store, reader);
  const watch = itemWatch();
  const sending = await startSending({ ...ground, usernameOf, watch }, () => wakeWorker());
  const { outbox, reconciler, items, held, stalled, gate } = sending;
  const remembered = await rememberedBots(store, log);
  const bots = await startBots({
    files: await needs.findBots(),
    remembered: remembered.before,
    onBots: (loaded) => remembered.note(loaded),
    callsWithin: needs.projectFolders,
    now: () => clock.now(),
    onLog: botLog(log),
    dialect: needs.platform?.dialect,
    ...needs.botLimits,
  });
  cleanup.add("the bots", () => bots.close());
  for (const { file, message } of bots.faults) {
    // one that is loaded again later was logged when it was given up
    if (!bots.loading.some((one) => one.file === file))
      log.error({ file }, `bot not loaded: ${message}`);
  }
  const inForce = await openBotsInForce({
    find: needs.findBots,
    host: bots,
    log: log.child({ stage: RELOAD_STAGE }),
  });
  const unwatch = await needs.watchBots?.(() => inForce.reloadChanged());
  if (unwatch !== undefined) cleanup.add("the watch over the bot modules", unwatch);
  const worker = startDeciding(
    { ...ground, reader, gate, watch },
    bots,
    (happened, followed, outcome) => {
      needs.telemetry?.committed(happened, followed, outcome);
      if (followed.items.length > 0) outbox.wake();
      if (happened.kind === "event" && outcome === "done") {
        const { entry } = happened;
        reconciler.onEvent(entry.lane, () => reader.eventOf(entry));
        needs.onDecided?.(entry.kind, () => reader.eventOf(entry));
      }
      publish(events, happened, followed, outcome);
    },
  );
  wakeWorker = () => worker.wake();
  needs.pausing.onResumed(() => {
    outbox.wake();
    worker.resumed().catch((error: unknown) => log.error({ err: error }, "runs not taken up"));
  });
  return {
    bots,
    inForce,
    leases: ground.leases,
    items,
    held,
    usernameOf,
    stalled,
    gate,
    arrived(events) {
      for (const event of events) reader.remember(event);
      worker.wake();
    },
    rulesChanged: (ids) => worker.rulesChanged(ids),
    status: () => ({ ...ground.leases.status(), ...worker.status(), ...outbox.status() }),
  };
}

async function takeGround(needs: AnsweringNeeds): Promise<Ground> {
  const { name, store, log, health, cleanup } = needs;
  const ending = new AbortController();
  cleanup.add("waiting writes", () => ending.abort());
  const writes = retryingWrites(store, {
    log: log.child({ stage: "store" }),
    signal: ending.signal,
    onFailed: health.failed,
    onKept: health.kept,
  });
  const leases = await holdLeases({
    store,
    worker: name,
    log,
    ...(needs.leaseMs !== undefined && { ttlMs: needs.leaseMs }),
  });
  cleanup.add("the leases", () => leases.stop());
  leases.onLost((lost) => log.warn({ partitions: lost.length }, "partitions lost"));
  return { ...needs, leases, writes };
}

interface Sending {
  readonly outbox: Outbox;
  readonly reconciler: Reconciler;
  readonly items: ByHand;
  readonly held: HeldByHand;
  readonly stalled: () => readonly Missing[];
  readonly gate: Gate;
}

async function startSending(
  ground: Ground & Pick<Answering, "usernameOf"> & { readonly watch: ItemWatch },
  wakeWorker: () => void,
): Promise<Sending> {
  const { name, store, writes, clock, leases, clients, events, cleanup } = ground;
  const log = ground.log.child({ stage: "outbox" });
  const { watch } = ground;
  const change = changeItem({
    name,
    store: writes,
    clock,
    log,
    onSettled: (item) => {
      // A run may wait for it.
      wakeWorker();
      const { id, key, account, lane, status } = item;
      watch.changed(key);
      if (status === "unknown") reconciler.expect(item);
      const dropped = countedAs(item) === "dropped" && { dropped: true as const };
      events.publish({ type: "item-settled", data: { id, account, lane, status, ...dropped } });
    },
  });
  const requestTimeoutMs = REQUEST_TIMEOUT_MS;
  let onGiven = (): void => {};
  const shared = ground.sharesStore
    ? await openSharedBudgets({ ...ground, log, onGiven: () => onGiven() })
    : undefined;
  const { gate, stalled } = await alarmedGate({ ...ground, log, shared });
  const platform = { clientOf: clients.of, requestTimeoutMs, gate };
  const postpone = postponer({ name, store, clock, log });
  const common = { store, change, postpone, gate, clock, log, leases, requestTimeoutMs };
  const reconciler = startReconciler({ ...common, find: finder(platform) });
  cleanup.add("the reconciler", () => reconciler.stop());
  const { pausing, maySend = () => true } = ground;
  const isPaused = (account: string): boolean => !maySend() || pausing.isPaused(account);
  const perform = ground.dryRun === true ? dryPerformer(log) : performer(platform);
  const watched = ground.telemetry?.sending;
  const shape = store.isShared ? { restMs: SHARED_REST_MS, width: SHARED_REQUESTS } : {};
  const sending = {
    ...common,
    ...shape,
    isPaused,
    perform,
    watch: watched,
    random: Math.random,
  };
  const outbox = startOutbox(sending);
  cleanup.add("the outbox", () => outbox.stop());
  const wake = (): void => outbox.wake();
  const { elsewhere = () => [] } = ground;
  const holders: LeaseHolders = () => [
    ...leases.held().map((lease) => ({ worker: name, lease })),
    ...elsewhere(),
  ];
  const items = byHand({ ...common, holders, wake });
  const held = heldAnswers({ ...common, holders, wake, onHeld: heldAlarm({ ...ground, log }) });
  onGiven = () => {
    outbox.given();
    reconciler.wake();
  };
  cleanup.add("the watch over what is held back", () => held.stop());
  return { outbox, reconciler, items, held, stalled, gate };
}

function startDeciding(
  ground: Ground & {
    readonly reader: EventReader;
    readonly gate: Gate;
    readonly watch: ItemWatch;
  },
  bots: BotHost,
  onCommitted: TakeInNeeds["onCommitted"],
): RunWorker {
  const { name, store, writes, clock, log, leases, ruleset, telemetry, cleanup } = ground;
  const archive = openRuleArchive({ ruleset, store });
  const interpret = interpreter({
    ...ground,
    eventOf: ground.reader.eventOf,
    bots: () => bots.bots,
    archive,
    now: () => clock.now(),
    isLinked: (account) => ground.accountOf(account) !== undefined,
    usernameOf: (account) => ground.accountOf(account)?.username ?? "",
  });
  const allowed = allowedHosts(ground.allowedHosts ?? []);
  const called = telemetry?.performing(bots) ?? bots;
  const request: EffectPerformer["request"] = (asked, timeoutMs) =>
    sendRequest(asked, { allowed, timeoutMs });
  const askPlatform = askedByBots({
    ...ground,
    clientOf: ground.clients.of,
    isPaused: ground.pausing.isPaused,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    random: Math.random,
  });
  const performer: EffectPerformer = {
    handle: (handling, support) => called.handle(handling, support),
    call: (step, signal) => called.call(step, signal),
    ask: ({ handling }, asked, signal) => askPlatform(handling.account.id, asked, signal),
    request: ground.dryRun === true ? dryRequests(request, log.child({ stage: "runs" })) : request,
  };
  const worker = startWorker({
    store,
    commit: commitBatcher(writes, name),
    clock,
    log: log.child({ stage: "runs" }),
    leases,
    interpret: telemetry?.interpreting(interpret) ?? interpret,
    performer,
    isPaused: ground.pausing.isPaused,
    itemChanged: async (key, signal) => {
      if (!store.isShared) return ground.watch.next(key, signal);
      // Another process may change it by hand, of which nobody tells here.
      const ending = endingWith([signal], LOOK_AGAIN_MS);
      await ground.watch.next(key, ending.signal);
      ending.end();
    },
    trial: ground.trial,
    // Other processes take deliveries in, too.
    ...(store.isShared && {
      pollEveryMs: SHARED_POLL_MS,
      restMs: SHARED_REST_MS,
      width: SHARED_LANES,
    }),
    onCommitted: (happened, followed, outcome) => {
      archive.kept(followed.sources);
      onCommitted(happened, followed, outcome);
    },
  });
  cleanup.add("the worker", () => worker.stop());
  return worker;
}

function publish(
  events: RuntimeEvents,
  happened: LaneEvent,
  { runs, items, escalations }: Interpretation,
  outcome: string,
): void {
  if (happened.kind === "event") {
    const { seq, lane } = happened.entry;
    const data = { seq, lane, outcome, runs: runs.length, items: items.length };
    events.publish({ type: "event-decided", data });
  }
  const isDropped = happened.kind === "item-settled" && countedAs(happened.item) === "dropped";
  for (const { id, owner, status } of runs) {
    if (status === "ready" || status === "waiting" || trunkOf(id) !== undefined) continue;
    const dropped = status === "failed" && isDropped && { dropped: true as const };
    events.publish({ type: "run-settled", data: { id, owner, status, ...dropped } });
  }
  for (const { run, account, lane, queue, priority, silences } of escalations) {
    const data = { run, account, lane, queue, priority, pausesBot: silences !== undefined };
    events.publish({ type: "escalated", data });
  }
}

function botLog(log: Log): (line: BotLogLine) => void {
  return ({ level, bot, key, message, fields }) =>
    log[level](
      { ...fields, ...(bot !== undefined && { bot }), ...(key !== undefined && { event: key }) },
      message,
    );
}
