import type { Cells, MovedTable } from "./tables.ts";

/** The last number given of each kind: none is ever given again. */
export interface GivenNumbers {
  readonly seq: number;
  readonly item: number;
  readonly run: number;
  readonly state: number;
  readonly escalation: number;
}

/** A store that stands still while it is read. */
export interface MoveSource {
  count(table: MovedTable): Promise<number>;
  read(table: MovedTable): AsyncIterable<readonly Cells[]>;
  numbers(): Promise<GivenNumbers>;
}

/** An empty store that is filled, and read back. */
export interface MoveTarget extends MoveSource {
  write(table: MovedTable, rows: readonly Cells[]): Promise<void>;
  /** Makes what follows from the rows, once all of them are there. */
  complete(numbers: GivenNumbers): Promise<void>;
}
