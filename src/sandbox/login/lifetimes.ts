import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import type { TableDef } from "../kernel/world/table.ts";

/** Lifetime of a request token and its verifier, in milliseconds of the sandbox's clock. Assumed. */
export const REQUEST_TOKEN_MS = 15 * 60_000;

/** Lifetime of an authorization code. Source: the live service's guide to the code flow. */
export const CODE_MS = 30_000;

/** Lifetime of an OAuth 2.0 access token. Source: as {@link CODE_MS}. */
export const USER_TOKEN_MS = 7_200_000;

/** Lifetime of a browser session. Assumed. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;

/** Returns whether something created at `createdAt` is older than `ms`; all times in milliseconds. */
export function isExpired(createdAt: number, ms: number, now: number): boolean {
  return now - createdAt >= ms;
}

/** Deletes expired rows. Rows are in order of creation, so the search ends at the first row that is not expired. */
export function deleteExpired<Row extends { readonly createdAt: number }>(
  world: SandboxWorld,
  table: TableDef<Row, never>,
  keyOf: (row: Row) => string,
  ms: number,
  now: number,
): void {
  const rows = table.in(world);
  for (const row of rows.all()) {
    if (!isExpired(row.createdAt, ms, now)) return;
    rows.delete(keyOf(row));
  }
}
