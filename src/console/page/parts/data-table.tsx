import { CardTable } from "./card-table.tsx";
import type { RowCommand, ShownTable, TableCell } from "../../operations/tables/table.ts";
import { Empty } from "./states.tsx";
import { Time } from "./time.tsx";

/** Maximum number of characters of a cell that is shown in one line; longer texts wrap. */
const LONG = 24;

interface TableProps {
  readonly name: string;
  readonly table: ShownTable;
  /** Called when the button of a row is pressed. */
  readonly run?: (command: RowCommand) => void;
}

/** Shows a table that the server returned. A table without rows shows its text `empty` instead. */
export function DataTable({ name, table: { columns, rows, empty, note }, run }: TableProps) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  const look = (cell: TableCell | undefined): "number" | "wide" | "nowrap" => {
    if (typeof cell === "number") return "number";
    return typeof cell === "string" && cell.length > LONG ? "wide" : "nowrap";
  };
  return (
    <>
      <CardTable
        label={name}
        columns={columns.map((column, at) => [column, look(rows[0]?.cells[at])] as const)}
      >
        {rows.map(({ id, cells, remove }) => (
          <tr key={id}>
            {cells.map((cell, at) => (
              <td key={columns[at]} class={look(cell)}>
                <Cell cell={cell} />
              </td>
            ))}
            {remove !== undefined && (
              <td>
                <button type="button" class="quiet" onClick={() => run?.(remove)}>
                  {remove.label}
                </button>
              </td>
            )}
          </tr>
        ))}
      </CardTable>
      {note !== undefined && <p class="soft">{note}</p>}
    </>
  );
}

/** Shows a table cell or another value from the server: a text, a number, a link or a time. */
export function Cell({ cell }: { cell: TableCell }) {
  if (typeof cell !== "object") return <bdi>{cell}</bdi>;
  if ("to" in cell) {
    return (
      <a href={cell.to}>
        <bdi>{cell.text}</bdi>
      </a>
    );
  }
  return (
    <>
      {cell.before} <Time at={cell.at} withDate />
    </>
  );
}
