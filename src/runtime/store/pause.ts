/** An account whose events are kept and nothing more, until the operator says so. */
export interface Pause {
  /** User id; absent: all accounts. */
  readonly account?: string;
  /** By the platform's clock. */
  readonly since: number;
}

/** Pauses an account, or all where none is named, or ends that. */
export type PauseChange =
  | Pause
  /** `since: undefined` ends it. */
  | { readonly account?: string; readonly since: undefined };
