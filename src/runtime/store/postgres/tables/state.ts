import type { StateValue } from "../../transition.ts";
import type { Statements } from "../database.ts";

/** Values of user state by key. */
export async function loadState(
  db: Statements,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StateValue>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<{
    key: string;
    value: string;
    version: number;
    expires_at: number | null;
  }>("SELECT key, value, version, expires_at FROM state WHERE key = ANY ($1::text[])", [keys]);
  return new Map(
    rows.map(({ key, value, version, expires_at: expiresAt }) => [
      key,
      { value, version, ...(expiresAt !== null && { expiresAt }) },
    ]),
  );
}

export async function getMeta(db: Statements, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ value: string }>("SELECT value FROM meta WHERE name = $1", [name]);
  return row?.value;
}

export async function setMeta(db: Statements, name: string, value: string): Promise<void> {
  await db.query(
    "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [name, value],
  );
}
