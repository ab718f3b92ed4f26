import { randomBytes } from "node:crypto";
import * as z from "zod";
import { Clock } from "./clock.ts";
import { DeliveryLog } from "./delivery-log.ts";
import { Faults } from "./faults.ts";
import { Feed } from "./feed.ts";
import { Hosts } from "./hosts.ts";
import { RateLimits } from "./limits.ts";
import { Outlet } from "./outlet.ts";
import { Refusal } from "./refusal.ts";
import type { Area, LedgerRow } from "./route.ts";
import type { Sandbox } from "./sandbox.ts";
import { DEFAULT_SETTINGS, type Settings, type SettingsPatch, withPatch } from "./settings.ts";
import { Timeline } from "./timeline.ts";
import type { Restoration } from "./restoration.ts";
import { type SavedWorld, World, type WorldHeader } from "./world.ts";

/** What a platform is made from. */
export interface PlatformOptions {
  readonly areas: readonly Area[];
  readonly seed?: string | undefined;
  readonly settings?: SettingsPatch | undefined;
  /** Machine time, milliseconds since the Unix epoch. */
  readonly machine: () => number;
  readonly mark: string;
  readonly reserve: (mark: string) => void;
}

/** The sandbox's services in one place: what areas get as their `sandbox`. */
export class Platform implements Sandbox {
  readonly #areas: readonly Area[];
  readonly #initial: Settings;
  readonly world: World;
  readonly time: Timeline;
  readonly faults = new Faults();
  readonly feed: Feed;
  readonly hosts: Hosts;
  readonly limits: RateLimits;
  readonly deliveries = new DeliveryLog();
  readonly outlet = new Outlet();
  readonly ledger: readonly LedgerRow[];
  settings: Settings;
  /** Known once the server listens. */
  baseUrl = "";

  constructor(options: PlatformOptions) {
    this.#areas = options.areas;
    this.#initial = withPatch(DEFAULT_SETTINGS, options.settings ?? {});
    this.settings = this.#initial;
    const clock = new Clock(options.machine);
    const now = (): number => clock.now();
    this.feed = new Feed(now);
    this.limits = new RateLimits(now);
    this.time = new Timeline(clock, (error) => this.feed.tell("fault", { message: String(error) }));
    this.world = new World({
      tables: options.areas.flatMap((area) => area.tables),
      seed: options.seed ?? randomSeed(),
      now,
      mark: options.mark,
      reserve: options.reserve,
    });
    this.hosts = new Hosts(this.world);
    this.ledger = options.areas.flatMap((area) => area.ledger);
  }

  /** Plans all due work from what the world holds. */
  arm(): void {
    this.time.clear();
    for (const area of this.#areas) area.arm?.(this);
  }

  reset(seed?: string): void {
    this.world.reset(seed ?? this.world.seed);
    this.settings = this.#initial;
    this.faults.remove();
    this.limits.clear();
    this.deliveries.clear();
    this.arm();
    this.feed.tell("world", { world_id: this.world.worldId, change: "reset" });
  }

  save(): SavedWorld {
    return this.world.save(this.time.clock.state());
  }

  restore(state: unknown): void {
    const { tables, ...header } = readSaved(state);
    const restoration = this.restoring();
    for (const [name, rows] of Object.entries(tables)) {
      restoration.know(name);
      for (const row of rows) restoration.add(name, row);
    }
    restoration.commit(header);
  }

  /** Begins to replace everything, a row at a time; see {@link World.restoring}. */
  restoring(): Restoration {
    return this.world.restoring(({ clock }) => this.#resume(clock));
  }

  #resume(clock: WorldHeader["clock"]): void {
    const at = clock.frozen ? Date.parse(clock.now) : this.time.clock.machine() + clock.offset_ms;
    this.time.clock.place(at, clock.frozen);
    this.limits.clear();
    this.arm();
    this.feed.tell("world", { world_id: this.world.worldId, change: "restored" });
  }
}

/** @throws {Refusal} 400, when it is not an object with lists of rows under `tables`. */
function readSaved(state: unknown): { tables: Record<string, unknown[]> } {
  const outer = z.looseObject({ tables: z.record(z.string(), z.array(z.unknown())) });
  const result = outer.safeParse(state);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw Refusal.control(400, "invalid_state", `${issue?.path.join(".")}: ${issue?.message}`);
}

/** A seed for a sandbox that was given none. */
function randomSeed(): string {
  return randomBytes(8).toString("hex");
}
