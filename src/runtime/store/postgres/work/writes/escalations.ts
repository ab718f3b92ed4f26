import { newEscalationRow } from "../../../tables/rows.ts";
import { without } from "../../../tables/columns.ts";
import { ESCALATIONS } from "../../../tables/tables.ts";
import type { StatementValues } from "../../params.ts";
import type { Pending } from "../pending.ts";

/** Requests that a person takes over. */
export function escalationWrites({ escalations }: Pending, params: StatementValues): string[] {
  if (escalations.length === 0) return [];
  const rows = escalations.map((one) => ({
    ...newEscalationRow(one),
    silences: one.silences !== undefined,
  }));
  const conflict = "ON CONFLICT (key) DO NOTHING";
  return [params.insert("escalations", NEW, rows, { conflict })];
}

const NEW = without(ESCALATIONS.postgres, "id");
