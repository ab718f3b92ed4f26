import type { HeldLeases, LeaseListener } from "../../src/runtime/loop/leases.ts";
import type { Lease } from "../../src/runtime/store/lease.ts";

/**
 * Creates held leases. `take` adds more of them, as if this process had acquired them. `lose` removes all of them, as
 * if other processes had acquired them.
 */
export function heldLeases(leases: readonly Lease[]): Pick<
  HeldLeases,
  "held" | "onTaken" | "onLost" | "whenValid"
> & {
  take(more: readonly Lease[]): Promise<void>;
  lose(): Promise<void>;
} {
  const listeners = new Set<LeaseListener>();
  const lossListeners = new Set<LeaseListener>();
  let all = leases;
  return {
    held: () => all,
    whenValid: async () => all,
    onTaken(listener) {
      listeners.add(listener);
      if (all.length > 0) void listener(all);
      return () => listeners.delete(listener);
    },
    onLost(listener) {
      lossListeners.add(listener);
      return () => lossListeners.delete(listener);
    },
    async lose() {
      const lost = all;
      all = [];
      for (const listener of lossListeners) await listener(lost);
    },
    async take(more) {
      all = [...all, ...more];
      for (const listener of listeners) await listener(more);
    },
  };
}
