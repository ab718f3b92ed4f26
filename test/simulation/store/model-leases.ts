import { partitionOf } from "../../../src/runtime/store/partition.ts";

/** A lease without its deadline, which depends on the holder's clock. */
export interface LeaseKey {
  readonly partition: number;
  readonly epoch: number;
}

interface Holder {
  readonly worker: string;
  readonly until: number;
}

/** Holders of the partitions. Workers that are active at the same time share them evenly, as in a shared store. */
export class ModelLeases {
  readonly partitions: number;
  readonly #now: () => number;
  readonly #epochs: number[];
  readonly #holders: (Holder | undefined)[];
  /** Time at which each worker's last claim expires. */
  readonly #workers = new Map<string, number>();

  /** @param now Monotonic milliseconds. */
  constructor(partitions: number, now: () => number) {
    this.partitions = partitions;
    this.#now = now;
    this.#epochs = Array.from({ length: partitions }, () => 0);
    this.#holders = Array.from({ length: partitions }, () => undefined);
  }

  lease(worker: string, ttlMs: number): readonly LeaseKey[] {
    const now = this.#now();
    const until = now + ttlMs;
    this.#workers.set(worker, until);
    for (const [name, end] of this.#workers) if (end < now) this.#workers.delete(name);
    const share = Math.ceil(this.partitions / this.#workers.size);
    let mine = 0;
    for (let partition = 0; partition < this.partitions; partition++) {
      const holder = this.#holders[partition];
      const held = holder !== undefined && now < holder.until;
      if (held && holder.worker !== worker) continue;
      if (mine >= share) {
        this.#holders[partition] = undefined;
        continue;
      }
      mine += 1;
      if (!held || holder.worker !== worker) this.#epochs[partition] = this.epochOf(partition) + 1;
      this.#holders[partition] = { worker, until };
    }
    return this.#keysOf(worker);
  }

  release(worker: string): void {
    this.#workers.delete(worker);
    for (const [partition, holder] of this.#holders.entries()) {
      if (holder?.worker === worker) this.#holders[partition] = undefined;
    }
  }

  /** Releases all leases, as a process does when it opens a store that only one process uses. */
  releaseAll(): void {
    this.#workers.clear();
    this.#holders.fill(undefined);
  }

  /** Whether `worker` holds the partition in this epoch. */
  holds(worker: string, { partition, epoch }: LeaseKey): boolean {
    const holder = this.#holders[partition];
    return holder?.worker === worker && this.#epochs[partition] === epoch;
  }

  /** Returns a function that checks whether a lane (conversation) is in a partition of one of the valid leases. */
  covers(leases: readonly LeaseKey[]): (lane: string) => boolean {
    const held = new Set(
      leases
        .filter(({ partition, epoch }) => this.#epochs[partition] === epoch)
        .filter(({ partition }) => this.#holders[partition] !== undefined)
        .map(({ partition }) => partition),
    );
    return (lane) => held.has(this.partitionOf(lane));
  }

  partitionOf(lane: string): number {
    return partitionOf(lane, this.partitions);
  }

  epochOf(partition: number): number {
    return this.#epochs[partition] ?? 0;
  }

  #keysOf(worker: string): readonly LeaseKey[] {
    return this.#holders.flatMap((holder, partition) =>
      holder?.worker === worker ? [{ partition, epoch: this.epochOf(partition) }] : [],
    );
  }
}
