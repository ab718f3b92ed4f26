import type { AccountEvent } from "../../events/event.ts";
import type { Settings } from "../../config/settings.ts";
import type { ServedAccounts } from "../../runtime/accounts/served-accounts.ts";
import { type HeldLeases, holdLeases } from "../../runtime/loop/leases.ts";
import type { LeaseHolders } from "../../runtime/loop/lease-holders.ts";
import { type RetryingWrites, retryingWrites } from "../../runtime/loop/retrying-store.ts";
import { type ItemWatch, itemWatch } from "../../runtime/outbox/item-watch.ts";
import type { Clients } from "../../runtime/platform/clients.ts";
import type { RulesInForce } from "../../runtime/reload/rules-in-force.ts";
import type { CrashTrial } from "../../runtime/runs/crash-trial.ts";
import { type EventReader, eventReader } from "../../runtime/runs/entry-event.ts";
import type { BotModules, BotParts, HostProcess } from "../parts.ts";
import type { Pausing } from "./pausing.ts";

/** Settings that deciding and sending use. */
type AnsweringSettings = Pick<Settings, "limits"> &
  Partial<Pick<Settings, "optOut" | "quietHours" | "posts" | "http" | "botLimits">>;

/** Parts of a bot that deciding and sending need. */
export interface AnsweringNeeds
  extends
    Pick<BotParts, "store" | "clock" | "log" | "events" | "health" | "cleanup">,
    Partial<Pick<BotParts, "telemetry">> {
  readonly settings: AnsweringSettings;
  readonly platform?: Pick<BotParts["platform"], "dialect">;
  readonly rules: Pick<RulesInForce, "ruleset">;
  readonly accounts: Pick<ServedAccounts, "find">;
  readonly clients: Pick<Clients, "of">;
  readonly process: Pick<HostProcess, "name" | "sharesStore" | "dryRun" | "leaseMs">;
  readonly modules: BotModules;
  readonly pausing: Pick<Pausing, "isPaused" | "onResumed">;
  /** Entries that an ended process left unfinished. One of them may have caused its crash. */
  readonly trial?: CrashTrial;
  /** Leases of other processes. Absent: no other process exists. */
  readonly elsewhere?: LeaseHolders;
  /** Called with each event that is decided. @param read Reads the event. */
  readonly onDecided?: ((kind: string, read: () => AccountEvent) => void) | undefined;
  /** Whether anything may be sent yet, and waiting runs may time out. Absent: both are allowed. */
  readonly maySend?: () => boolean;
}

/** Parts that deciding and sending share: leases, retried writes, the event reader, and the watch over items. */
export interface Ground extends AnsweringNeeds {
  readonly leases: HeldLeases;
  /** Writes that are repeated until the store has them. */
  readonly writes: RetryingWrites;
  readonly reader: EventReader;
  /** Watch that wakes bot handlers when an item that they wait for has changed. */
  readonly watch: ItemWatch;
}

/** Creates the shared parts, and acquires the leases under which this process decides and sends. */
export async function takeGround(needs: AnsweringNeeds): Promise<Ground> {
  const { store, log, health, cleanup, process } = needs;
  const ending = new AbortController();
  cleanup.add("waiting writes", () => ending.abort());
  const writes = retryingWrites(store, {
    log: log.child({ stage: "store" }),
    signal: ending.signal,
    onFailed: health.failed,
    onKept: health.succeeded,
  });
  const leases = await holdLeases({
    store,
    worker: process.name,
    log,
    ...(process.leaseMs !== undefined && { ttlMs: process.leaseMs }),
  });
  cleanup.add("the leases", () => leases.stop());
  leases.onLost((lost) =>
    log.warn({ partitions: lost.length }, "this process lost partitions to another process"),
  );
  return { ...needs, leases, writes, reader: eventReader(), watch: itemWatch() };
}

/** Returns the settings of an account by its id: its own ones, found by its handle, else those for all accounts. */
export function settingsByAccount({
  settings: { limits, quietHours },
  accounts,
}: Pick<AnsweringNeeds, "settings" | "accounts">) {
  const ownOr = <T>(own: ReadonlyMap<string, T>, all: T, account: string): T =>
    own.size === 0 ? all : (own.get(accounts.find(account)?.username.toLowerCase() ?? "") ?? all);
  return {
    limitsOf: (account: string) => ownOr(limits.accounts, limits.all, account),
    quietHoursOf: (account: string) =>
      quietHours && ownOr(quietHours.accounts, quietHours.all, account),
  };
}
