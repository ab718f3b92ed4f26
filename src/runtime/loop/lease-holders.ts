import type { Lease } from "../store/lease.ts";

/** Lease with its holder. */
export interface LeaseHolder {
  /** Name of the holder. */
  readonly worker: string;
  readonly lease: Lease;
}

/**
 * Returns the holders of partitions, from this process's latest information; this process's own leases come first. An
 * operator may send a request to any process. That process writes the change with the name and epoch of the lease's
 * holder. The store accepts it only while the holder has the lease, like a change by the holder itself.
 */
export type LeaseHolders = () => readonly LeaseHolder[];
