import type { ExchangeLog } from "./delivery/exchange-log.ts";
import type { Faults } from "./delivery/faults.ts";
import type { Feed } from "./delivery/feed.ts";
import type { Hosts } from "./delivery/hosts.ts";
import type { LimitedRoute, RateLimiter } from "./http/rate-limiter.ts";
import type { OpenStreams } from "./delivery/open-streams.ts";
import type { WebhookSender } from "./delivery/webhook-sender.ts";
import type { WorldRestore } from "./world/world-restore.ts";
import type { LedgerRow } from "./ledger.ts";
import type { SandboxSettings, SettingsPatch } from "./settings.ts";
import type { Scheduler } from "./time/scheduler.ts";
import type { DeliveryLanes } from "./delivery/delivery-lanes.ts";
import type { DeliveryLog } from "./delivery/delivery-log.ts";
import type { StoredValues } from "./world/fact-journal.ts";
import type { SavedWorld, SandboxWorld } from "./world/sandbox-world.ts";

/** Store of a world on disk. */
export interface WorldStore {
  persist(): void | Promise<void>;
  valuesChanged(aside: StoredValues): void;
}

/** Services that deliver to webhooks and open streams, with their logs. */
export interface SandboxDeliveries {
  readonly faults: Faults;
  readonly feed: Feed;
  readonly hosts: Hosts;
  readonly deliveries: DeliveryLog;
  /** Latest requests, deliveries and challenges, with headers and bodies. */
  readonly exchanges: ExchangeLog;
  /** Open responses that stream events. */
  readonly streams: OpenStreams;
  /** Queues in which deliveries wait for earlier deliveries. */
  readonly lanes: DeliveryLanes;
  /** Ids of the webhooks for which a replay job is running. */
  readonly runningReplays: Set<string>;
  /** The sandbox's only outgoing HTTP client. It calls only servers that the host table names. */
  readonly webhookSender: WebhookSender;
}

/** Saving, restoring and resetting of the whole sandbox. */
export interface SandboxSaving {
  /**
   * Persists the changes if the world is stored on disk. Must finish before any client sees the changes.
   *
   * @throws {ApiError} 500 if the disk refuses; the next call tries again.
   */
  keep(): void | Promise<void>;
  /** Empties the world, and optionally sets another seed. */
  reset(seed?: string): void;
  save(): SavedWorld;
  /** Replaces the world by a saved one. @throws {ApiError} 400 if `state` is invalid; nothing has changed then. */
  restore(state: unknown): void;
  /** Begins to restore row by row, for a saved world that is too large to be parsed as one value. */
  beginRestore(): WorldRestore;
}

/** All data and services of a sandbox, as routes and scheduled work receive them. */
export interface Sandbox extends SandboxDeliveries, SandboxSaving {
  readonly world: SandboxWorld;
  /** Clock of the sandbox, and the timers that run by it. */
  readonly time: Scheduler;
  readonly settings: SandboxSettings;
  changeSettings(patch: SettingsPatch): void;
  readonly limits: RateLimiter;
  /** Every route with rate limits. */
  readonly limitedRoutes: readonly LimitedRoute[];
  readonly ledger: readonly LedgerRow[];
  /** Base URL of the platform, without a slash at the end. */
  readonly baseUrl: string;
}
