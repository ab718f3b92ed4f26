import { UsageError } from "../../../errors.ts";
import type { DatabaseOptions, ServerRisk, Statements } from "./database.ts";

/** Setting of the database by which an operator accepts all risks of its server, for a store whose data may be lost. */
const ACCEPTED = "answerback.accept_unsafe_server";

/**
 * Returns the risks of the server's settings; none if the operator accepts them.
 *
 * `full_page_writes = off` is correct on file systems that write pages whole, such as ZFS, so it is not refused.
 */
async function serverRisks(db: Statements): Promise<readonly ServerRisk[]> {
  const [row] = await db.query<{ fsync: string; pages: string; accepted: string | null }>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
       current_setting('${ACCEPTED}', true) AS accepted`,
  );
  if (row === undefined || row.accepted === "on") return [];
  const risks: ServerRisk[] = [];
  if (row.fsync === "off") {
    risks.push({
      message:
        "the database server has fsync = off: a crash of its machine can lose acknowledged events and damage the store",
      hint: hintFor("fsync"),
      isRefused: true,
    });
  }
  if (row.pages === "off") {
    risks.push({
      message:
        "the database server has full_page_writes = off: a crash of its machine can damage the store, unless its file system writes pages whole, as ZFS does",
      hint: hintFor("full_page_writes"),
      isRefused: false,
    });
  }
  return risks;
}

function hintFor(setting: string): string {
  return `as its superuser: ALTER SYSTEM SET ${setting} = on; SELECT pg_reload_conf();   or, for a store that may be lost: ALTER DATABASE NAME SET ${ACCEPTED} = on`;
}

/**
 * Refuses a server that can lose acknowledged data, unless the store is only read.
 *
 * @param onRisk Called with each risk that is not refused.
 * @throws {UsageError} for a risk that is refused.
 */
export async function refuseUnsafeServer(
  db: Statements,
  { readOnly = false, onRisk }: Pick<DatabaseOptions, "readOnly" | "onRisk"> = {},
): Promise<void> {
  for (const risk of await serverRisks(db)) {
    if (risk.isRefused && !readOnly) throw new UsageError(risk.message, { hint: risk.hint });
    onRisk?.(risk);
  }
}
