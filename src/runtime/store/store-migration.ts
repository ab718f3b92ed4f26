/** Upgrade of an older store's tables. */
export interface StoreMigration {
  /** Schema version before. */
  readonly from: number;
  readonly to: number;
  /** File of the store as it was. Absent: the engine keeps no copy. */
  readonly copy?: string;
}
