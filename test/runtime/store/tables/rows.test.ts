import { describe, expect, it } from "vitest";
import {
  type Columns,
  type ColumnSet,
  recordOf,
  type RowOf,
  type StoredColumn,
  without,
} from "../../../../src/runtime/store/tables/columns.ts";
import { toEntry, toItem, toRun } from "../../../../src/runtime/store/tables/rows.ts";
import { ITEMS, JOURNAL, RUNS } from "../../../../src/runtime/store/tables/tables.ts";

const PARTITION = 7;

/** Creates a row with a value in each column, or only in the columns that must have a value. */
function filledRow<Some extends Columns>(
  set: ColumnSet<Some>,
  isFull: boolean,
): RowOf<ColumnSet<Some>> {
  const cellOf = ({ type, form, isOptional }: StoredColumn, index: number): unknown => {
    if (form === "json") return JSON.stringify({ index });
    if (form !== undefined) return isFull ? 1 : 0;
    if (isOptional === true && !isFull) return null;
    return type === "text" ? `text ${index}` : index + 1;
  };
  const entries = Object.entries(set.columns).map(
    ([name, column], index) => [name, cellOf(column, index)] as const,
  );
  // Each column has a cell of its type.
  return Object.fromEntries(entries) as RowOf<ColumnSet<Some>>;
}

describe.each([
  { what: "with every column", isFull: true },
  { what: "without the columns that may be empty", isFull: false },
])("a row $what is read as its table describes it", ({ isFull }) => {
  it("for an entry", () => {
    const row = filledRow(JOURNAL, isFull);

    expect(toEntry(row, PARTITION)).toEqual({ ...recordOf(JOURNAL, row), partition: PARTITION });
  });

  it("for an item", () => {
    const row = filledRow(ITEMS.shown, isFull);

    expect(toItem(row, PARTITION)).toStrictEqual({
      ...recordOf(ITEMS.shown, row),
      partition: PARTITION,
    });
  });

  it("for a run", () => {
    const row = filledRow(RUNS, isFull);

    expect(toRun(row, PARTITION)).toStrictEqual({
      ...recordOf(without(RUNS, "ordinal"), row),
      id: `${row.seq}/${row.owner}`,
      partition: PARTITION,
    });
  });
});
