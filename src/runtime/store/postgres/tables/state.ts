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
