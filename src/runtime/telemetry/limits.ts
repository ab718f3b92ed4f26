/** Remaining budgets of the platform's rate limits, and states of the circuit breakers, as the gauges show them. */
export interface Limits {
  readonly budgets: readonly {
    readonly endpoint: string;
    /** Handle of the account. Absent: the limit is the app's. */
    readonly account?: string;
    readonly windowMs: number;
    readonly limit: number;
    readonly remaining: number;
  }[];
  readonly circuits: readonly {
    readonly endpoint: string;
    /** Handle of the account. Absent: the circuit applies to all accounts. */
    readonly account?: string;
    readonly isOpen: boolean;
  }[];
}
