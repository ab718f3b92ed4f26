import type { StatementValues } from "./params.ts";

/** Name of a counter that is updated with each change, because counting rows would take long. */
export type CountName = "journal" | "inbox" | `item.${string}` | "run.ready" | "run.waiting";

/**
 * Builds the part of a statement that changes this process's counters.
 *
 * @param deltas Numbers, or SQL expressions for numbers.
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
