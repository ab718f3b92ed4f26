import { UsageError } from "../../../errors.ts";
import type { DatabaseOptions, ServerRisk, Statements } from "./database.ts";

/** Setting of the database by which an operator accepts all risks of its server, for a store whose data may be lost. */
const ACCEPTED = "answerback.accept_unsafe_server";

interface ServerSettings {
  readonly fsync: string;
  readonly pages: string;
  readonly encoding: string;
  readonly accepted: string | null;
}

/**
 * Returns the risks of the server's settings, without those of a crash if the operator accepts them.
 *
 * `full_page_writes = off` is correct on file systems that write pages whole, such as ZFS, so it is not refused.
 */
async function serverRisks(db: Statements): Promise<readonly ServerRisk[]> {
  const [row] = await db.query<ServerSettings>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
       current_setting('server_encoding') AS encoding,
       current_setting('${ACCEPTED}', true) AS accepted`,
  );
  const risks: ServerRisk[] = [];
  if (row === undefined) return risks;
  // SQL_ASCII stores the bytes of UTF-8 unchanged.
  if (!["UTF8", "SQL_ASCII"].includes(row.encoding)) {
    risks.push({
      message: `the database has the encoding ${row.encoding}: it refuses messages with emoji and with most scripts`,
      hint: "create another database: CREATE DATABASE NAME ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0",
      isRefused: true,
    });
  }
  if (row.accepted === "on") return risks;
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
