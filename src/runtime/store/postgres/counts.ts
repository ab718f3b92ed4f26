import type { StatementValues } from "./params.ts";

/** Name of a counter of rows, such as `inbox`. Counters change with each write, because counting rows takes long. */
export type CountName = "journal" | "inbox" | `item.${string}` | "run.ready" | "run.waiting";

/**
 * Builds the SQL that changes the counters of this process.
 *
 * @param writer Name of this process in the table `counts`. Each process has its own rows, so none waits for another.
 * @param deltas Number to add to each counter, or an SQL expression for this number.
 */
export function countChanges(
  params: StatementValues,
  writer: string,
  deltas: Readonly<Partial<Record<CountName, number | string>>>,
): string {
  const me = params.add(writer, "text");
  const rows = Object.entries(deltas)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => {
      const value = typeof n === "string" ? n : params.add(n, "bigint");
      return `(${me}, ${params.add(name, "text")}, ${value})`;
    });
  return `INSERT INTO counts (writer, name, n) VALUES ${rows.join(", ")}
    ON CONFLICT (writer, name) DO UPDATE SET n = counts.n + excluded.n`;
}
