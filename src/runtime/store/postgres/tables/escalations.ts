import { type EscalationRow, toEscalation } from "../../tables/rows.ts";
import type { Escalation, EscalationQuery, Silence } from "../../escalation.ts";
import { accountOf } from "../../partition.ts";
import type { Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import { type SilenceRow, toSilence } from "./inbox.ts";

/** Lists silences of rules and bots in a lane, oldest first. */
export async function silences(db: Statements, lane: string): Promise<readonly Silence[]> {
  const rows = await db.query<SilenceRow>(
    `SELECT id, run, silent_until FROM escalations WHERE silences AND silent_in = ANY ($1::text[]) ORDER BY id`,
    [[lane, accountOf(lane)]],
  );
  return rows.map(toSilence);
}

/** Lists escalations, newest first. */
export async function escalations(
  db: Statements,
  { id, open, queue, account, person, before, limit }: EscalationQuery,
): Promise<readonly Escalation[]> {
  const params = new StatementValues();
  const where = [
    ...(id === undefined ? [] : [`id = ${params.add(id, "bigint")}`]),
    ...(open === undefined ? [] : [`resolved_at IS ${open ? "" : "NOT "}NULL`]),
    ...(queue === undefined ? [] : [`queue = ${params.add(queue, "text")}`]),
    ...(account === undefined ? [] : [`account = ${params.add(account, "text")}`]),
    ...(person === undefined ? [] : [`${params.add(person.toLowerCase(), "text")} IN ${PERSON}`]),
    ...(before === undefined ? [] : [`id < ${params.add(before, "bigint")}`]),
  ];
  const rows = await db.query<EscalationRow>(
    `SELECT * FROM escalations ${where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`}
     ORDER BY id DESC LIMIT ${params.add(limit, "int")}`,
    params.values,
  );
  return rows.map(toEscalation);
}

/** SQL list of the names by which a query may select an escalation's person: user id, handle, and handle with `@`. */
const PERSON = "(substr(lane, length(account) + 2), lower(username), '@' || lower(username))";

/** Resolves one escalation; see {@link Store.resolveEscalation}. */
export async function resolveEscalation(
  db: Statements,
  id: number,
  at: number,
): Promise<{ readonly changed: boolean; readonly escalation: Escalation } | undefined> {
  const changed = await db.query<EscalationRow>(
    `UPDATE escalations SET resolved_at = $2, silences = false
     WHERE id = $1 AND resolved_at IS NULL RETURNING *`,
    [id, at],
  );
  const [row] =
    changed.length > 0
      ? changed
      : // An older version of Answerback may have resolved the escalation without ending its silence.
        await db.query<EscalationRow>(
          "UPDATE escalations SET silences = false WHERE id = $1 RETURNING *",
          [id],
        );
  return row && { changed: changed.length > 0, escalation: toEscalation(row) };
}
