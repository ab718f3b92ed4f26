import { StoreError } from "../errors.ts";
import { Digest, type TableDigest } from "./digest.ts";
import { COPIED_TABLES } from "../tables/tables.ts";
import type { CopySource, CopyTarget } from "./sides.ts";

/** Reports progress in rows. Each row counts twice: when it is written, and when it is read back and compared. */
export type OnMoveProgress = (done: number, total: number) => void;

/** Numbers of copied rows, by table. */
export type MovedRows = Readonly<Record<string, number>>;

/**
 * Copies all rows of `from` to `to`, reads them back and compares digests.
 *
 * @throws {StoreError} `store-data` with the differences.
 */
export async function copyStore(
  from: CopySource,
  to: CopyTarget,
  onProgress: OnMoveProgress,
): Promise<MovedRows> {
  let total = 0;
  for (const table of COPIED_TABLES) total += 2 * (await from.count(table));
  let done = 0;
  const advance = (rows: number): void => onProgress((done += rows), total);
  advance(0);
  const copied = new Map<string, TableDigest>();
  for (const table of COPIED_TABLES) {
    const digest = new Digest();
    for await (const rows of from.read(table)) {
      await to.write(table, rows);
      digest.add(rows);
      advance(rows.length);
    }
    copied.set(table.name, digest.result());
  }
  const numbers = await from.numbers();
  await to.complete(numbers);
  const faults: string[] = [];
  for (const table of COPIED_TABLES) {
    const digest = new Digest();
    for await (const rows of to.read(table)) {
      digest.add(rows);
      advance(rows.length);
    }
    faults.push(...difference(table.name, copied.get(table.name), digest.result()));
  }
  const arrived = await to.numbers();
  for (const name of ["seq", "item", "run", "state", "escalation"] as const) {
    if (arrived[name] !== numbers[name]) {
      faults.push(`the last ${name} number is ${numbers[name]} here, ${arrived[name]} there`);
    }
  }
  if (faults.length > 0) {
    throw new StoreError("store-data", `the copy differs from the original: ${faults.join("; ")}`, {
      hint: "nothing was moved or changed; try again, and report a bug if it happens again",
    });
  }
  return Object.fromEntries([...copied].map(([name, { rows }]) => [name, rows]));
}

function difference(name: string, here: TableDigest | undefined, there: TableDigest): string[] {
  if (here?.rows !== there.rows) {
    return [`${name} has ${here?.rows ?? 0} rows here, ${there.rows} there`];
  }
  return here.digest === there.digest ? [] : [`${name} has other contents there`];
}
