import { newEscalationRow } from "../../../tables/rows.ts";
import { assigned, rowOf, without } from "../../../tables/columns.ts";
import { ESCALATIONS, STATE } from "../../../tables/tables.ts";
import type { StatementValues } from "../../params.ts";
import type { Pending } from "../pending.ts";

/** Writes values of user state. */
export function stateWrites({ states }: Pending, params: StatementValues): string[] {
  const writes: string[] = [];
  const removed = [...states].flatMap(([key, { value }]) => (value === null ? [key] : []));
  if (removed.length > 0) {
    writes.push(`DELETE FROM state WHERE key = ANY (${params.add(removed, "text[]")})`);
  }
  const rows = [...states].flatMap(([key, { value, expiresAt }]) =>
    value === null ? [] : [rowOf(NEW_STATE, { key, value, expiresAt })],
  );
  if (rows.length > 0) {
    // No version is used twice, so a value that was deleted and set again has a new version.
    const computed = { version: "nextval('state_version')" };
    const conflict = `ON CONFLICT (key) DO UPDATE SET ${assigned(STATE.changing)}`;
    writes.push(params.insert("state", NEW_STATE, rows, { computed, conflict }));
  }
  return writes;
}

const NEW_STATE = without(STATE, "version");

/** Writes new escalations. */
export function escalationWrites({ escalations }: Pending, params: StatementValues): string[] {
  if (escalations.length === 0) return [];
  const rows = escalations.map((one) => ({
    ...newEscalationRow(one),
    silences: one.silences !== undefined,
  }));
  const conflict = "ON CONFLICT (key) DO NOTHING";
  return [params.insert("escalations", NEW_ESCALATION, rows, { conflict })];
}

const NEW_ESCALATION = without(ESCALATIONS.postgres, "id");
