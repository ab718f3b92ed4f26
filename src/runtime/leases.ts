import type { Log } from "./log.ts";
import { pump } from "./pump.ts";
import { seldom, TELL_EVERY_MS } from "./seldom.ts";
import type { Lease, Store } from "./store/store.ts";

/** Leases of this process, kept alive. */
export interface HeldLeases {
  /** Those that hold now. */
  readonly held: () => readonly Lease[];
  /** Gives them back. */
  stop(): Promise<void>;
}

export interface LeaseNeeds {
  readonly store: Pick<Store, "lease" | "release">;
  readonly worker: string;
  readonly log: Log;
}

/** How long a lease holds without being renewed. */
const TTL_MS = 15_000;

/** Takes leases and renews them three times within their life. */
export async function holdLeases({ store, worker, log }: LeaseNeeds): Promise<HeldLeases> {
  let leases = await store.lease(worker, TTL_MS);
  const renewal = pump({
    look: async () => {
      leases = await store.lease(worker, TTL_MS);
    },
    everyMs: TTL_MS / 3,
    onError: seldom(TELL_EVERY_MS, (error) => log.error({ err: error }, "leases not renewed")),
  });
  return {
    held: () => leases.filter((lease) => lease.until > performance.now()),
    async stop() {
      await renewal.stop();
      await store.release(worker);
    },
  };
}
