import { randomBytes } from "node:crypto";
import * as z from "zod";
import { messageOf } from "../../system/error-message.ts";
import { SandboxClock } from "./time/sandbox-clock.ts";
import { DeliveryLanes } from "./delivery/delivery-lanes.ts";
import { DeliveryLog } from "./delivery/delivery-log.ts";
import { ExchangeLog } from "./delivery/exchange-log.ts";
import { Faults } from "./delivery/faults.ts";
import { Feed } from "./delivery/feed.ts";
import { Hosts } from "./delivery/hosts.ts";
import { type LimitedRoute, RateLimiter } from "./http/rate-limiter.ts";
import { OpenStreams } from "./delivery/open-streams.ts";
import { WebhookSender } from "./delivery/webhook-sender.ts";
import { ApiError } from "./http/api-error.ts";
import { type AreaOf, ledgerOf } from "./area.ts";
import type { LedgerRow } from "./ledger.ts";
import type { WorldStore, Sandbox } from "./sandbox.ts";
import {
  DEFAULT_SETTINGS,
  mergedPatch,
  readSettings,
  type SandboxSettings,
  type SettingsPatch,
  withPatch,
} from "./settings.ts";
import { Scheduler } from "./time/scheduler.ts";
import type { StoredValues } from "./world/fact-journal.ts";
import type { WorldRestore } from "./world/world-restore.ts";
import {
  readClock,
  type SavedWorld,
  SandboxWorld,
  type WorldHeader,
} from "./world/sandbox-world.ts";

/** Parts and settings from which a platform is created. */
export interface PlatformOptions {
  readonly areas: readonly AreaOf[];
  readonly seed?: string | undefined;
  readonly settings?: SettingsPatch | undefined;
  /** Returns the time of the machine's clock, in milliseconds since the Unix epoch. */
  readonly machine: () => number;
  readonly highWaterMark: string;
  readonly storeHighWaterMark: (mark: string) => void;
}

/** Services of the sandbox in one object, passed to areas as their `sandbox`. */
export class Platform implements Sandbox {
  readonly #areas: readonly AreaOf[];
  readonly #initial: SandboxSettings;
  readonly world: SandboxWorld;
  readonly time: Scheduler;
  readonly faults = new Faults(
    () => this.#kept?.valuesChanged({ faults: this.faults.state() }),
    () => this.time.now(),
  );
  readonly feed: Feed;
  readonly hosts: Hosts;
  readonly limits: RateLimiter;
  readonly deliveries = new DeliveryLog();
  readonly exchanges = new ExchangeLog();
  readonly streams = new OpenStreams();
  readonly lanes: DeliveryLanes;
  runningReplays = new Set<string>();
  readonly webhookSender = new WebhookSender();
  readonly ledger: readonly LedgerRow[];
  readonly limitedRoutes: readonly LimitedRoute[];
  #patched: SettingsPatch = {};
  #kept: WorldStore | undefined;
  settings: SandboxSettings;

  constructor(options: PlatformOptions) {
    this.#areas = options.areas;
    this.#initial = withPatch(DEFAULT_SETTINGS, options.settings ?? {});
    this.settings = this.#initial;
    const clock = new SandboxClock(options.machine, () =>
      this.#kept?.valuesChanged({ clock: this.time.state() }),
    );
    const now = (): number => clock.now();
    this.feed = new Feed(now);
    this.limits = new RateLimiter(now);
    const onError = (error: unknown): void =>
      this.feed.publish("fault", { message: String(error) });
    this.time = new Scheduler(clock, onError, () => this.#tellTime());
    this.lanes = new DeliveryLanes(onError);
    this.world = new SandboxWorld({
      tables: options.areas.flatMap((area) => area.tables),
      seed: options.seed ?? randomSeed(),
      now,
      highWaterMark: options.highWaterMark,
      storeHighWaterMark: options.storeHighWaterMark,
    });
    this.hosts = new Hosts(this.world);
    this.ledger = options.areas.flatMap(ledgerOf);
    this.limitedRoutes = options.areas
      .flatMap(({ routes }) => routes)
      .flatMap(({ method, path, limits }) =>
        limits === undefined ? [] : { method, path, limits },
      );
  }

  get baseUrl(): string {
    return this.world.baseUrl;
  }

  /** Drops all scheduled and queued work, ends the open streams, and schedules work again from the stored rows. */
  scheduleAll(): void {
    this.time.clear();
    this.lanes.clear();
    this.streams.endAll();
    // A new set, because replay jobs that are still running remove their webhook from the old set.
    this.runningReplays = new Set();
    for (const area of this.#areas) area.schedule?.(this);
  }

  changeSettings(patch: SettingsPatch): void {
    this.#patched = mergedPatch(this.#patched, patch);
    this.settings = withPatch(this.#initial, this.#patched);
    this.#kept?.valuesChanged({ settings: this.#patched });
  }

  keep(): void | Promise<void> {
    try {
      const stored = this.#kept?.persist();
      return stored instanceof Promise ? stored.catch(this.#refuse) : stored;
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Publishes that the disk refuses the world's changes. @throws {ApiError} 500 with the reason. */
  readonly #refuse = (error: unknown): never => {
    const message = `The sandbox can't store its data: ${messageOf(error)}`;
    this.feed.publish("fault", { message });
    throw ApiError.internal("not_stored", message);
  };

  /** Sets the store that writes all later changes to disk. */
  keepIn(worldStore: WorldStore): void {
    this.#kept = worldStore;
  }

  /** Returns the settings and faults, which are saved in addition to the world's rows. */
  asides(): StoredValues {
    return { settings: this.#patched, faults: this.faults.state() };
  }

  /** Restores the saved random draw count, clock, settings and faults. @throws {ApiError} 400 for invalid values. */
  resumeValues({ drawn, clock, settings, faults }: StoredValues): void {
    if (drawn !== undefined) this.world.skipDraws(drawn);
    if (clock !== undefined) this.#setClock(readClock(clock));
    if (settings !== undefined) this.changeSettings(readSettings(settings));
    if (faults !== undefined) this.faults.resume(faults);
  }

  reset(seed?: string): void {
    this.world.reset(seed ?? this.world.seed);
    this.#patched = {};
    this.settings = this.#initial;
    this.faults.remove();
    this.limits.clear();
    this.deliveries.clear();
    this.exchanges.clear();
    this.scheduleAll();
    this.feed.publish("world", { world_id: this.world.worldId, change: "reset" });
  }

  save(): SavedWorld {
    return this.world.save(this.time.state());
  }

  restore(state: unknown): void {
    const { tables, ...header } = readSaved(state);
    const restore = this.beginRestore();
    for (const [name, rows] of Object.entries(tables)) {
      restore.requireTable(name);
      for (const row of rows) restore.add(name, row);
    }
    restore.commit(header);
  }

  /** Begins to replace the whole world, row by row; see {@link SandboxWorld.beginRestore}. */
  beginRestore(): WorldRestore {
    return this.world.beginRestore(({ clock }) => this.#resume(clock));
  }

  /** Begins to load a world when the sandbox starts and has no scheduled work yet. */
  beginLoad(): WorldRestore {
    return this.world.beginRestore(({ clock }) => this.#setClock(clock));
  }

  #resume(clock: WorldHeader["clock"]): void {
    this.#setClock(clock, this.time.now());
    this.limits.clear();
    this.exchanges.clear();
    this.scheduleAll();
    this.feed.publish("world", { world_id: this.world.worldId, change: "restored" });
  }

  /**
   * Sets the clock from its saved state.
   *
   * @param shown Time that the clock shows before the call. If the new time is earlier, a set-back is recorded.
   */
  #setClock(clock: WorldHeader["clock"], shown = -Infinity): void {
    const at = clock.frozen ? Date.parse(clock.now) : this.time.clock.machine() + clock.offset_ms;
    this.time.clock.resume(clock.set_backs);
    if (at < shown) this.time.clock.setBack(shown, at);
    this.time.clock.set(at, clock.frozen);
  }

  /**
   * Publishes the time in the feed, and waits until the feed's subscribers have received it. A clock that is moved
   * forward calls this at each stop, before the work that is due at that time.
   */
  #tellTime(): Promise<void> {
    this.feed.publish("clock", { ...this.time.clock.state(), moving: true });
    return this.feed.told();
  }
}

/** @throws {ApiError} 400, when `state` is not an object with lists of rows under `tables`. */
function readSaved(state: unknown): { tables: Record<string, unknown[]> } {
  const outer = z.looseObject({ tables: z.record(z.string(), z.array(z.unknown())) });
  const result = outer.safeParse(state);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw ApiError.control(400, "invalid_state", `${issue?.path.join(".")}: ${issue?.message}`);
}

/** Returns a seed for a sandbox that was started without one. */
function randomSeed(): string {
  return randomBytes(8).toString("hex");
}
