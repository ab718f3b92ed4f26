import { CardTable } from "./card-table.tsx";
import type { RowCommand, ShownTable, TableCell } from "../../operations/tables/table.ts";
import { Empty } from "./states.tsx";
import { Time } from "./time.tsx";

/** Number of characters above which a text may wrap. */
const LONG = 24;

interface TableProps {
  readonly name: string;
  readonly table: ShownTable;
  /** Called when the button of a row is pressed. */
  readonly run?: (command: RowCommand) => void;
}

/** Shows a table that the server returned, or the table's text for no rows. */
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

/** Shows the content of a table cell, or of a fact about an object. */
export function Cell({ cell }: { cell: TableCell }) {
  if (typeof cell !== "object") return <>{cell}</>;
  if ("to" in cell) return <a href={cell.to}>{cell.text}</a>;
  return (
    <>
      {cell.before} <Time at={cell.at} withDate />
    </>
  );
}
