import type { Pause, PauseChange } from "../../pause.ts";
import type { PostgresDatabase, Statements } from "../database.ts";

/** Key of the pause of all accounts. */
const ALL = "";

export async function pauses(db: Statements): Promise<readonly Pause[]> {
  const rows = await db.query<Required<Pause>>(
    "SELECT account, since FROM pauses ORDER BY account",
  );
  return rows.map(toPause);
}

/** Converts a row of a pause to a record. */
export function toPause({ account, since }: Required<Pause>): Pause {
  return account === ALL ? { since } : { account, since };
}

/**
 * Starts or ends a pause. Marks waiting inputs of a paused account as `aside`, so that no fetch scans them. Later,
 * {@link putAside} marks inputs that arrive during the pause.
 */
export async function setPause(
  db: Pick<PostgresDatabase, "transaction">,
  { account = ALL, since }: PauseChange,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed =
      since === undefined
        ? await tx.query("DELETE FROM pauses WHERE account = $1 RETURNING account", [account])
        : await tx.query(
            "INSERT INTO pauses (account, since) VALUES ($1, $2) ON CONFLICT (account) DO NOTHING RETURNING account",
            [account, since],
          );
    if (changed.length > 0) await setAside(tx, account, since !== undefined);
    return changed.length > 0;
  });
}

async function setAside(tx: Statements, account: string, aside: boolean): Promise<void> {
  await tx.query(
    `UPDATE inputs SET aside = $2 WHERE aside <> $2 AND ($1 = '' OR split_part(lane, '/', 1) = $1)
       AND ($2 OR NOT EXISTS (SELECT 1 FROM pauses AS p WHERE p.account IN ('', split_part(inputs.lane, '/', 1))))`,
    [account, aside],
  );
}

/** Marks new inputs of paused accounts as `aside`, so that fetches need not check them each time. */
export async function putAside(db: Statements, partitions: readonly number[]): Promise<void> {
  await db.query(
    `UPDATE inputs AS i SET aside = true FROM (SELECT account FROM pauses FOR SHARE) AS p
     WHERE i.partition = ANY ($1::int[]) AND NOT i.aside AND p.account IN ('', split_part(i.lane, '/', 1))`,
    [partitions],
  );
}
