import type { StatementValues } from "./params.ts";

/** What is counted as it changes, since counting rows would take long. */
export type CountName = "journal" | "inbox" | `item.${string}` | "run.ready" | "run.waiting";

/**
 * Part of a statement that changes what this process has counted.
 *
 * @param deltas Numbers, or expressions that give one.
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
