/** What the platform's limits leave, and where only probes go. Accounts are user ids. */
export interface Limits {
  readonly budgets: readonly {
    readonly endpoint: string;
    /** Absent: a limit of the app. */
    readonly account?: string;
    readonly windowMs: number;
    readonly limit: number;
    readonly remaining: number;
  }[];
  readonly circuits: readonly {
    readonly endpoint: string;
    /** Absent: for everybody. */
    readonly account?: string;
    readonly isOpen: boolean;
  }[];
}
