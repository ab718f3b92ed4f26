import type { Faults } from "./faults.ts";
import type { Feed } from "./feed.ts";
import type { Hosts } from "./hosts.ts";
import type { RateLimits } from "./limits.ts";
import type { Outlet } from "./outlet.ts";
import type { Restoration } from "./restoration.ts";
import type { LedgerRow } from "./route.ts";
import type { Settings } from "./settings.ts";
import type { Timeline } from "./timeline.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import type { SavedWorld, World } from "./world.ts";

/** What every area works with: the world and the sandbox's own services. */
export interface Sandbox {
  readonly world: World;
  /** The clock and the work that falls due on it. */
  readonly time: Timeline;
  settings: Settings;
  readonly faults: Faults;
  readonly feed: Feed;
  readonly hosts: Hosts;
  readonly limits: RateLimits;
  readonly deliveries: DeliveryLog;
  /** The only way out: calls hosts of the host table. */
  readonly outlet: Outlet;
  readonly ledger: readonly LedgerRow[];
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Back to an empty world. */
  reset(seed?: string): void;
  save(): SavedWorld;
  /** @throws {Refusal} 400; then nothing has changed. */
  restore(state: unknown): void;
  /** The same a row at a time, for what is too long to be one value. */
  restoring(): Restoration;
}
