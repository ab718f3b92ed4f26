import type { Catchup } from "../../runtime/catchup/catchup.ts";
import type { HeldLeases } from "../../runtime/loop/leases.ts";
import type { Lease } from "../../runtime/store/lease.ts";
import type { WebhookLink } from "../../runtime/webhook-link/link.ts";

/** The holder of this partition's lease does what is to be done once for all processes. */
export const LEADERS_PARTITION = 0;

/** The leader's seat as this process has it: its term while it leads, and its lease. */
export class LeadersSeat {
  /** What is done just now; undefined while another process leads, or none. */
  term: Term | undefined;
  readonly #leases;

  constructor(leases: Pick<HeldLeases, "held">) {
    this.#leases = leases;
  }

  /** Epoch of the lease that is held at this moment; undefined while another process holds it. */
  epoch(): number | undefined {
    return epochIn(this.#leases.held());
  }

  readonly leads = (): boolean => this.epoch() !== undefined;
}

/** Finds the epoch of the leader's lease among leases. */
export function epochIn(leases: readonly Lease[]): number | undefined {
  return leases.find(({ partition }) => partition === LEADERS_PARTITION)?.epoch;
}

/** The time for which this process leads. */
export interface Term {
  readonly link: WebhookLink;
  readonly catchup: Catchup;
  /** Reads what was missed: before anything new is taken in here. */
  prepare(): Promise<void>;
  /** Makes the link, follows it, and begins all that is done once. */
  begin(): Promise<void>;
  /** Ends all of it; what is under way is given up. May be called at any time, and again. */
  stop(): Promise<void>;
}
