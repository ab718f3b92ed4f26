import { partitionOf } from "../partition.ts";
import type { Counters } from "./counters.ts";
import type { LeaseKey, Operations } from "./calls.ts";

/**
 * Leases of all partitions. One process holds the whole file, so one worker at a time holds all leases, with one epoch.
 */
export class Leases {
  readonly partitions: number;
  readonly #counters: Counters;
  readonly #now: () => number;
  #holder: { readonly worker: string; readonly epoch: number; until: number } | undefined;

  /** @param now Monotonic milliseconds. */
  constructor(partitions: number, counters: Counters, now: () => number) {
    this.partitions = partitions;
    this.#counters = counters;
    this.#now = now;
  }

  /** Renews the worker's leases, or acquires free ones with the next epoch. Empty while another worker holds them. */
  readonly lease: Operations["lease"] = (worker, ttlMs) => {
    const now = this.#now();
    const holder = this.#current();
    if (holder?.worker === worker) {
      holder.until = now + ttlMs;
    } else if (holder !== undefined && now < holder.until) {
      return [];
    } else {
      this.#holder = { worker, epoch: this.#counters.add("epoch", 1), until: now + ttlMs };
    }
    const epoch = this.#counters.get("epoch");
    return Array.from({ length: this.partitions }, (_, partition) => ({ partition, epoch }));
  };

  readonly release: Operations["release"] = (worker) => {
    if (this.#holder?.worker === worker) this.#holder = undefined;
  };

  /** Whether `worker` holds the partition in this epoch. */
  holds(worker: string, { partition, epoch }: LeaseKey): boolean {
    const holder = this.#current();
    return (
      holder?.worker === worker &&
      holder.epoch === epoch &&
      partition >= 0 &&
      partition < this.partitions
    );
  }

  /** Returns a function that reports whether a lane's partition is among these leases and the lease is still held. */
  covers(leases: readonly LeaseKey[]): (lane: string) => boolean {
    const epoch = this.#current()?.epoch;
    const held = new Set(leases.filter((l) => l.epoch === epoch).map((l) => l.partition));
    if (held.size === 0 || held.size === this.partitions) return () => held.size > 0;
    return (lane) => held.has(this.partitionOf(lane));
  }

  partitionOf(lane: string): number {
    return partitionOf(lane, this.partitions);
  }

  /**
   * Returns the worker that holds the leases. Ignores a worker whose `lease` was rolled back: the epoch counter was
   * rolled back, too, and differs from the worker's epoch.
   */
  #current() {
    return this.#holder?.epoch === this.#counters.get("epoch") ? this.#holder : undefined;
  }
}
