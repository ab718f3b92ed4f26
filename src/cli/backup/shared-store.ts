import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import { shell } from "../../text/shell.ts";

const TOOLS = {
  backup: {
    advice: "back it up with PostgreSQL's own tool, pg_dump",
    hintFor: (url: string) =>
      `run: ${shell`pg_dump --format=custom --file=answerback.dump ${url}`}`,
  },
  restore: {
    advice: "restore it with PostgreSQL's own tool, pg_restore",
    hintFor: (url: string) =>
      `stop every process that uses it, then run as the owner of its tables: ${shell`pg_restore --clean --if-exists --single-transaction answerback.dump --dbname ${url}`}`,
  },
};

/**
 * Refuses to back up or restore a store in PostgreSQL; the error has the command of PostgreSQL that does it.
 *
 * @throws {UsageError} if the store is in PostgreSQL.
 */
export function refuseSharedStore(
  { store }: Pick<Settings, "store">,
  task: keyof typeof TOOLS,
): void {
  if (!isPostgresUrl(store.url)) return;
  const url = shownUrl(store.url);
  const { advice, hintFor } = TOOLS[task];
  throw new UsageError(`the store ${url} is a database: ${advice}`, {
    hint: hintFor(url),
  });
}
