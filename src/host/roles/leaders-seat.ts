import type { Catchup } from "../../runtime/catchup/catchup.ts";
import type { HeldLeases } from "../../runtime/loop/leases.ts";
import type { SearchStatus } from "../../runtime/search/search-source.ts";
import type { Lease } from "../../runtime/store/lease.ts";
import type { MonthOfPosts } from "../../runtime/usage/post-cap.ts";
import type { WebhookLink } from "../../runtime/webhook-link/link.ts";

/** Partition whose lease makes its holder the leader, which does the work that must be done once for all processes. */
export const LEADERS_PARTITION = 0;

/** Leadership as this process sees it: whether it holds the leader's lease, and its current term as leader. */
export class LeadersSeat {
  /** This process's current term (period of leading); undefined while it does not lead. */
  term: Term | undefined;
  readonly #leases;

  constructor(leases: Pick<HeldLeases, "held">) {
    this.#leases = leases;
  }

  /** Returns the epoch of the leader's lease; undefined while this process does not hold it. */
  epoch(): number | undefined {
    return epochIn(this.#leases.held());
  }

  readonly leads = (): boolean => this.epoch() !== undefined;
}

/** Returns the epoch of the leader's lease if it is among `leases`; undefined otherwise. */
export function epochIn(leases: readonly Lease[]): number | undefined {
  return leases.find(({ partition }) => partition === LEADERS_PARTITION)?.epoch;
}

/** Period in which this process leads. */
export interface Term {
  readonly link: WebhookLink;
  readonly catchup: Catchup;
  /** Returns the state of the queries that rules search with; undefined before the searches have started. */
  searches(): SearchStatus | undefined;
  /** Returns the app's number of received posts this month, and its cap; undefined while unknown. */
  posts(): MonthOfPosts | undefined;
  /** Reads missed events, before this process accepts anything new. */
  prepare(): Promise<void>;
  /** Establishes the event link, follows it, and starts the work that is done once for all processes. */
  begin(): Promise<void>;
  /** Ends the term and aborts its current work. May be called at any time, and more than once. */
  stop(): Promise<void>;
}
