import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";

/**
 * Leaves the store in a database to the database's own tools.
 *
 * @param tool The command that does what was asked for, up to where it takes the database.
 * @throws {UsageError} where the store is in PostgreSQL.
 */
export function refuseSharedStore({ store }: Pick<Settings, "store">, tool: string): void {
  if (!isPostgresUrl(store.url)) return;
  const url = shownUrl(store.url);
  throw new UsageError(
    `the store ${url} is a database: PostgreSQL's own tools back it up, by pg_dump`,
    {
      hint: `run: ${tool} ${JSON.stringify(url)}`,
    },
  );
}
