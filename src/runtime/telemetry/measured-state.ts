import type { Limits } from "./limits.ts";

/** What the gauges show: how a runtime stands at the moment of a scrape. */
export interface MeasuredState {
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: number;
  /** Parts that keep events from being taken in, and parts that keep answers from being sent. */
  readonly notReady: readonly string[];
  readonly stalled: readonly string[];
  readonly webhook: { readonly valid: boolean; readonly shedding: boolean };
  readonly accounts: readonly { readonly username: string; readonly subscribed: boolean }[];
  readonly catchup: { readonly gaps: number; readonly since?: string };
  readonly coverage: readonly CoveredAccount[];
  readonly botFaults: number;
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
  /** Partitions that this process works on, and when the oldest entry of each arrived that waits there. */
  readonly oldestOf: readonly (readonly [partition: number, arrivedAt: number | undefined])[];
  /** What this process is among those that share its store. */
  readonly self:
    | {
        readonly name: string;
        readonly role: string;
        readonly leads: boolean;
        readonly clockAheadMs?: number;
      }
    | undefined;
}

/** How an account's time is covered. */
export interface CoveredAccount {
  readonly username: string;
  readonly spans: readonly { readonly from: number; readonly to: number; readonly state: string }[];
}
