import type { LeaseHolders } from "../../runtime/loop/lease-holders.ts";
import { type ByHand, byHand } from "../../runtime/outbox/by-hand.ts";
import { changeItem, type ChangeItemNeeds } from "../../runtime/outbox/change-item.ts";
import { dryPerformer } from "../../runtime/outbox/dry-run.ts";
import { openSharedBudgets } from "../../runtime/outbox/gate/open-shared-budgets.ts";
import { heldAnswers } from "../../runtime/outbox/held.ts";
import type { HeldByHand } from "../../runtime/outbox/held-by-hand.ts";
import { Outbox } from "../../runtime/outbox/outbox.ts";
import { finder, performer } from "../../runtime/outbox/perform.ts";
import { postponer } from "../../runtime/outbox/postpone.ts";
import { Reconciler } from "../../runtime/outbox/reconcile.ts";
import { lateItems } from "../../runtime/runs/restraints/late-items.ts";
import { REQUEST_TIMEOUT_MS } from "../../runtime/platform/clients.ts";
import { type AlarmedGate, alarmedGate } from "./gate-alarm.ts";
import { type Ground, settingsByAccount } from "./ground.ts";
import { heldAlarm, type UsernameFinder, personNames } from "./held-alarm.ts";

/**
 * Shortest real milliseconds between two polls of a shared store: a query costs the same for one row as for a hundred.
 */
export const SHARED_REST_MS = 10;
/** Number of concurrent requests over a shared store: grouped writes share one round trip and one disk sync. */
const SHARED_REQUESTS = 128;

/** The running outbox and its parts. */
export interface SendingParts extends AlarmedGate {
  readonly outbox: Outbox;
  readonly reconciler: Reconciler;
  /** Operations with which an operator changes items. */
  readonly items: ByHand;
  /** Operations on answers that are held back. */
  readonly held: HeldByHand;
  readonly usernameOf: UsernameFinder;
}

/** Parts that sending needs: {@link Ground}, and functions of the worker whose runs wait for items. */
type SendingNeeds = Ground & Pick<ChangeItemNeeds, "endOf" | "onQueued">;

/** Starts the outbox, and the reconciler, which finds out whether items with an unknown outcome were sent. */
export async function startSending(ground: SendingNeeds): Promise<SendingParts> {
  const { store, writes, clock, leases, clients, events, cleanup, process } = ground;
  const { name } = process;
  const log = ground.log.child({ stage: "outbox" });
  const shared = process.sharesStore
    ? await openSharedBudgets({ store, name, clock, log, cleanup })
    : undefined;
  const { gate, stalled } = await alarmedGate({ ...ground, log, shared });
  const requestTimeoutMs = REQUEST_TIMEOUT_MS;
  const platform = { clientOf: clients.of, requestTimeoutMs, gate };
  const onSettled = (key: string): void => ground.watch.changed(key);
  // A store in this process executes all calls of one turn of the event loop together, changes before queries. So
  // the outbox can query the store as soon as an outcome is on its way.
  const isWokenByOutcomes = !store.isShared;
  const change = changeItem({
    ...ground,
    name,
    store: writes,
    log,
    onSettled,
    ...(isWokenByOutcomes && { onOutcomeSent: () => outbox.wake() }),
  });
  const postpone = postponer({ name, store, clock, log });
  const common = { store, change, postpone, gate, clock, log, leases, requestTimeoutMs };
  const reconciler = new Reconciler({ ...common, find: finder(platform) });
  cleanup.add("the reconciler", () => reconciler.stop());
  const { pausing, maySend = () => true, elsewhere = () => [] } = ground;
  const outbox: Outbox = new Outbox({
    ...common,
    isWokenByOutcomes,
    ...(store.isShared && { restMs: SHARED_REST_MS, width: SHARED_REQUESTS }),
    isPaused: (account) => !maySend() || pausing.isPaused(account),
    perform: process.dryRun === true ? dryPerformer(log) : performer(platform),
    watch: ground.telemetry?.sending,
    restrain: restraintsOf(ground),
    random: Math.random,
  });
  cleanup.add("the outbox", () => outbox.stop());
  shared?.onGiven(() => {
    outbox.onShareGranted();
    reconciler.wake();
  });
  const holders: LeaseHolders = () => [
    ...leases.held().map((lease) => ({ worker: name, lease })),
    ...elsewhere(),
  ];
  const wake = (): void => outbox.wake();
  const usernameOf = personNames(store, ground.reader);
  const onHeld = heldAlarm({ ...ground, log, usernameOf });
  const held = heldAnswers({ ...common, holders, wake, onHeld });
  cleanup.add("the watch over held answers", () => held.stop());
  events.on("item-settled", ({ data }) => {
    if (data.status === "unknown") reconciler.expect(data);
    if (data.status === "held") held.lookAgain();
  });
  const items = byHand({ ...common, holders, wake });
  return { outbox, reconciler, items, held, usernameOf, stalled, gate };
}

/** Returns the function that applies opt-outs and quiet hours to items that were not sent when they were queued. */
function restraintsOf(ground: SendingNeeds): ReturnType<typeof lateItems> {
  const { store, settings, clock } = ground;
  return lateItems({
    store,
    hasOptOut: settings.optOut !== undefined,
    quietHoursOf: settingsByAccount(ground).quietHoursOf,
    now: () => clock.now(),
  });
}
