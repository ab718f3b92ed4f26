/** A change of one named value, which has to be as it was expected to be. */
export interface MetaChange {
  readonly name: string;
  /** What it is; `undefined`: there is none. */
  readonly was: string | undefined;
  /** What it is to be; `undefined`: none. */
  readonly to: string | undefined;
}
