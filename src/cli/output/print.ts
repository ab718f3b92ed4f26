import type { Io } from "../io.ts";
import { cut, padded, plain, widthOf } from "./plain.ts";

/** One column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly of: (item: T) => string | number | boolean | null | undefined;
}

const GAP = 2;
const NARROWEST = 12;

/**
 * Prints a list: a table with aligned columns for people, one object a line for programs.
 *
 * In a terminal the last column is cut to fit.
 *
 * @param none What to tell a person when there is nothing in it.
 */
export function printList<T>(
  io: Io,
  json: boolean | undefined,
  items: readonly T[],
  columns: readonly Column<T>[],
  none: string,
): void {
  if (json === true) {
    for (const item of items) io.out(`${JSON.stringify(item)}\n`);
    return;
  }
  if (items.length === 0) {
    io.err(`${none}\n`);
    return;
  }
  const rows = items.map((item) => columns.map((column) => cell(column.of(item))));
  io.out(
    tableOf(
      columns.map(({ title }) => title),
      rows,
      io,
    ),
  );
}

/** Prints one thing: names and values aligned for people, one JSON object for programs. */
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
    io.out(`${io.dataColors.dim(name.padEnd(width))}${cell(text)}\n`);
  }
}

function cell(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined || value === "" ? "-" : plain(String(value));
}

function tableOf(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { dataColors, width }: Pick<Io, "dataColors" | "width">,
): string {
  const widths = titles.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? "")].map(widthOf)),
  );
  const last = titles.length - 1;
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + GAP, 0);
  const room = width === undefined ? Infinity : Math.max(NARROWEST, width - before);
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, at) => (at === last ? cut(text, room) : padded(text, (widths[at] ?? 0) + GAP)))
      .join("");
  return [dataColors.dim(line(titles)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}
