/** Pause of an account: its events are stored but not processed until the operator resumes it. */
export interface Pause {
  /** User id; absent: all accounts. */
  readonly account?: string;
  /** Start of the pause, by the platform's clock. */
  readonly since: number;
}

/** Starts or ends the pause of one account, or of all accounts. */
export type PauseChange =
  | Pause
  /** `since: undefined` ends the pause. */
  | { readonly account?: string; readonly since: undefined };
