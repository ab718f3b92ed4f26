import type { StatementValues } from "../../params.ts";
import type { Pending } from "../pending.ts";
import { ms } from "./milliseconds.ts";

/** Values of user state. */
export function stateWrites({ states }: Pending, params: StatementValues): string[] {
  const writes: string[] = [];
  const removed = [...states].flatMap(([key, { value }]) => (value === null ? [key] : []));
  if (removed.length > 0) {
    writes.push(`DELETE FROM state WHERE key = ANY (${params.add(removed, "text[]")})`);
  }
  const set = [...states].flatMap(([key, { value, expiresAt }]) =>
    value === null ? [] : [{ key, value, expires_at: expiresAt === null ? null : ms(expiresAt) }],
  );
  if (set.length > 0) {
    const given = params.table("g", { key: "text", value: "text", expires_at: "bigint" }, set);
    writes.push(
      // Versions are never used twice: a value that was removed and made anew is another one.
      `INSERT INTO state (key, value, version, expires_at)
       SELECT key, value, nextval('state_version'), expires_at FROM ${given}
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version,
         expires_at = excluded.expires_at`,
    );
  }
  return writes;
}
