/** Compare-and-set change of one named value. */
export interface MetaChange {
  readonly name: string;
  /** Expected current value; `undefined`: no value. */
  readonly was: string | undefined;
  /** New value; `undefined` removes the value. */
  readonly to: string | undefined;
}
