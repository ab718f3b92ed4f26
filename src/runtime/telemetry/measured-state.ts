import type { Limits } from "./limits.ts";

/** State of the way from the platform to the runtime. */
interface MeasuredLink {
  /** Setting `source`: with `polling` there is no webhook. */
  readonly source: string;
  readonly webhook: { readonly valid: boolean; readonly shedding: boolean };
  readonly accounts: readonly { readonly username: string; readonly subscribed: boolean }[];
  readonly catchup: { readonly gaps: number; readonly since?: string };
  readonly coverage: readonly CoveredAccount[];
}

/** State of a runtime at the moment of a scrape, as the gauges show it. */
export interface MeasuredState extends MeasuredLink {
  /** Time of the scrape in milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  /** Names of the parts that keep events from being received (`notReady`) or answers from being sent (`stalled`). */
  readonly notReady: readonly string[];
  readonly stalled: readonly string[];
  readonly botFaults: number;
  /**
   * Number of posts that the app has received this month, and the cap; absent while the platform has not reported them.
   */
  readonly posts?: { readonly used: number; readonly cap: number };
  readonly work: {
    readonly partitions: number;
    readonly inputs: number;
    readonly effects: number;
    readonly sending: number;
  };
  readonly store: {
    readonly inbox: number;
    readonly journal: number;
    readonly items: Readonly<Record<string, number>>;
    readonly runs: Readonly<Record<string, number>>;
    readonly escalations: Readonly<Record<string, number>>;
    readonly oldestArrivedAt?: number;
  };
  readonly limits: Limits;
  /** Partitions of this process, each with the arrival of its oldest undecided event; undefined if none waits. */
  readonly oldestOf: readonly (readonly [partition: number, arrivedAt: number | undefined])[];
  /** This process, as listed among all processes of the store; undefined while it is not listed. */
  readonly self:
    | {
        readonly name: string;
        readonly role: string;
        readonly leads: boolean;
        readonly clockAheadMs?: number;
      }
    | undefined;
}

/** Coverage of an account: for each stretch of time, whether its events were received. */
export interface CoveredAccount {
  readonly username: string;
  readonly spans: readonly { readonly from: number; readonly to: number; readonly state: string }[];
}
