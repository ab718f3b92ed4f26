import type { Io } from "../io.ts";
import { truncated, padded, displayWidth } from "./terminal-text.ts";
import { visible, visibleLines } from "../../text/unseen.ts";

/** Column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly of: (item: T) => string | number | boolean | null | undefined;
}

const GAP = 2;
const MIN_LAST_COLUMN = 12;
/** Minimum width to which a column is cut. Columns with ids and times are narrower than this, so they are never cut. */
const MIN_COLUMN = 20;
/**
 * Minimum width of the last column in a terminal of {@link WIDE} columns or more. With less room, the last column moves
 * below the other columns.
 */
const MIN_READABLE = 24;
const WIDE = 60;
/** The last column is cut down to this width before any other column is cut. */
const LAST_GIVES_WAY_TO = 40;

/**
 * Prints a list: a table for people, one JSON object per line for programs.
 *
 * In a terminal, wide columns are cut to fit, the last one first.
 *
 * @param emptyMessage Message for people if the list is empty.
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
    io.err(`${visible(emptyMessage)}\n`);
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

/** Prints one record: aligned names and values for people, one JSON object for programs. */
export function printRecord(
  io: Io,
  json: boolean | undefined,
  value: unknown,
  rows: readonly (readonly [name: string, value: Value])[],
): void {
  if (json === true) {
    io.out(`${JSON.stringify(value)}\n`);
    return;
  }
  const width = Math.max(...rows.map(([name]) => name.length)) + GAP;
  for (const [name, text] of rows) {
    io.out(`${io.dataColors.dim(name.padEnd(width))}${formatValue(text, " ".repeat(width))}\n`);
  }
}

type Value = string | number | boolean | null | undefined;

function formatCell(value: Value): string {
  return isNothing(value) ? "-" : visible(String(value));
}

/** Formats a complete value. Each of its lines but the first begins with `indent`. */
function formatValue(value: Value, indent: string): string {
  return isNothing(value) ? "-" : visibleLines(String(value), indent);
}

function isNothing(value: Value): value is null | undefined | "" {
  return value === null || value === undefined || value === "";
}

function formatTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { dataColors, width }: Pick<Io, "dataColors" | "width">,
): string {
  const full = titles.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? "")].map(displayWidth)),
  );
  const last = titles.length - 1;
  const beside = width === undefined ? full : fitted(full, width);
  const readable = (width ?? 0) < WIDE ? 0 : Math.min(full[last] ?? 0, MIN_READABLE);
  // in a terminal that is too narrow, the last column moves below the others
  const isBelow = width !== undefined && (total(beside) > width || (beside[last] ?? 0) < readable);
  const widths = isBelow ? fitted(full.slice(0, last), width) : beside;
  const indent = (widths[0] ?? 0) + GAP;
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, at) => {
        if (at < last) return padded(truncated(text, widths[at] ?? 0), (widths[at] ?? 0) + GAP);
        if (!isBelow) return truncated(text, widths[at] ?? 0);
        return `\n${" ".repeat(indent)}${truncated(text, width - indent)}`;
      })
      .join("")
      .replaceAll(/(?<! ) +$/gm, "");
  return [dataColors.dim(line(titles)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + GAP, -GAP);
}

/**
 * Reduces the columns' widths until all columns fit into `width`, if possible: first the last column, then the widest.
 */
function fitted(full: readonly number[], width: number): readonly number[] {
  const widths = [...full];
  const last = widths.length - 1;
  let over = total(widths) - width;
  for (; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths.slice(0, last)));
    const at = [
      { column: last, least: LAST_GIVES_WAY_TO },
      { column: widest, least: MIN_COLUMN },
      { column: last, least: MIN_LAST_COLUMN },
    ].find(({ column, least }) => (widths[column] ?? 0) > least)?.column;
    if (at === undefined) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  return widths;
}
