import type { Lease } from "../store/lease.ts";

/** A lease, and whose it is. */
export interface LeaseHolder {
  /** The name under which it is held. */
  readonly worker: string;
  readonly lease: Lease;
}

/**
 * Who holds which partition now, as far as it is known; this process's own come first.
 *
 * An operator may ask any process: what it changes then, it changes in the name of whoever holds the lease, and in that
 * epoch. The store takes it only if that is still so, like a change of the holder itself.
 */
export type LeaseHolders = () => readonly LeaseHolder[];
