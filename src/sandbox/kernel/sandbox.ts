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
import type { Asides } from "./world/fact-journal.ts";
import type { SavedWorld, SandboxWorld } from "./world/sandbox-world.ts";

/** Where a world is kept. */
export interface KeptWorld {
  keep(): void | Promise<void>;
  asideChanged(aside: Asides): void;
}

/** Services that reach webhooks and open streams, and their logs. */
export interface SandboxDeliveries {
  readonly faults: Faults;
  readonly feed: Feed;
  readonly hosts: Hosts;
  readonly deliveries: DeliveryLog;
  /** The latest requests, deliveries and challenges, byte by byte. */
  readonly exchanges: ExchangeLog;
  /** Responses that stay open and tell what happens. */
  readonly streams: OpenStreams;
  /** Deliveries that wait for earlier ones of the same account. */
  readonly lanes: DeliveryLanes;
  /** Ids of the webhooks for which a replay job is running. */
  readonly runningReplays: Set<string>;
  /** The only way out: calls hosts of the host table. */
  readonly webhookSender: WebhookSender;
}

/** Saving, restoring and resetting of the whole sandbox. */
export interface SandboxSaving {
  /** Writes down what has changed, where the world is kept; nobody may be told of it before. */
  keep(): void | Promise<void>;
  /** Back to an empty world. */
  reset(seed?: string): void;
  save(): SavedWorld;
  /** @throws {ApiError} 400; then nothing has changed. */
  restore(state: unknown): void;
  /** The same a row at a time, for what is too long to be one value. */
  beginRestore(): WorldRestore;
}

/** What every area works with: the world and the sandbox's own services. */
export interface Sandbox extends SandboxDeliveries, SandboxSaving {
  readonly world: SandboxWorld;
  /** The clock and the work that falls due on it. */
  readonly time: Scheduler;
  readonly settings: SandboxSettings;
  changeSettings(patch: SettingsPatch): void;
  readonly limits: RateLimiter;
  /** Every route whose requests are counted. */
  readonly limitedRoutes: readonly LimitedRoute[];
  readonly ledger: readonly LedgerRow[];
  /** Without a slash at the end. */
  readonly baseUrl: string;
}
