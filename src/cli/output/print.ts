import type { Io } from "../io.ts";
import { truncated, padded, withoutControls, displayWidth } from "./terminal-text.ts";

/** One column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly of: (item: T) => string | number | boolean | null | undefined;
}

const GAP = 2;
const MIN_LAST_COLUMN = 12;

/**
 * Prints a list: a table for people, one JSON object per line for programs.
 *
 * In a terminal the last column is cut to fit.
 *
 * @param emptyMessage Message for a person when the list is empty.
 */
export function printList<T>(
  io: Io,
  json: boolean | undefined,
  items: readonly T[],
  columns: readonly Column<T>[],
  emptyMessage: string,
): void {
  if (json === true) {
    for (const item of items) io.out(`${JSON.stringify(item)}\n`);
    return;
  }
  if (items.length === 0) {
    io.err(`${emptyMessage}\n`);
    return;
  }
  const rows = items.map((item) => columns.map((column) => formatCell(column.of(item))));
  io.out(
    formatTable(
      columns.map(({ title }) => title),
      rows,
      io,
    ),
  );
}

/** Prints one record: names and values aligned for people, one JSON object for programs. */
export function printRecord(
  io: Io,
  json: boolean | undefined,
  value: unknown,
  rows: readonly (readonly [name: string, value: string | number | boolean | null | undefined])[],
): void {
  if (json === true) {
    io.out(`${JSON.stringify(value)}\n`);
    return;
  }
  const width = Math.max(...rows.map(([name]) => name.length)) + GAP;
  for (const [name, text] of rows) {
    io.out(`${io.dataColors.dim(name.padEnd(width))}${formatCell(text)}\n`);
  }
}

function formatCell(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined || value === ""
    ? "-"
    : withoutControls(String(value));
}

function formatTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { dataColors, width }: Pick<Io, "dataColors" | "width">,
): string {
  const widths = titles.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? "")].map(displayWidth)),
  );
  const last = titles.length - 1;
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + GAP, 0);
  const room = width === undefined ? Infinity : Math.max(MIN_LAST_COLUMN, width - before);
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, at) =>
        at === last ? truncated(text, room) : padded(text, (widths[at] ?? 0) + GAP),
      )
      .join("");
  return [dataColors.dim(line(titles)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}
