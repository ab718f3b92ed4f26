import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";

/**
 * Refuses to back up or restore a store in PostgreSQL; the error names PostgreSQL's own command.
 *
 * @param tool Command to suggest, without its last argument, the database URL.
 * @throws {UsageError} if the store is in PostgreSQL.
 */
export function refuseSharedStore({ store }: Pick<Settings, "store">, tool: string): void {
  if (!isPostgresUrl(store.url)) return;
  const url = shownUrl(store.url);
  throw new UsageError(
    `the store ${url} is a database: back it up with pg_dump, PostgreSQL's own tool`,
    {
      hint: `run: ${tool} ${JSON.stringify(url)}`,
    },
  );
}
