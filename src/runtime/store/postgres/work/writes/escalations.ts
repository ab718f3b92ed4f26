import type { StatementValues } from "../../params.ts";
import type { Pending } from "../pending.ts";
import { ms } from "./milliseconds.ts";

/** What people are asked to take over. */
export function escalationWrites({ escalations }: Pending, params: StatementValues): string[] {
  if (escalations.length === 0) return [];
  const rows = escalations.map((one) => ({
    key: one.key,
    run: one.run,
    seq: one.seq,
    account: one.account,
    lane: one.lane,
    username: one.username ?? null,
    queue: one.queue,
    priority: one.priority,
    note: one.note ?? null,
    evidence: one.evidence === undefined ? null : JSON.stringify(one.evidence),
    at: ms(one.at),
    silent_in: one.silences?.scope ?? null,
    silent_until: one.silences?.until === undefined ? null : ms(one.silences.until),
    until_resolved: one.silences?.untilResolved === true ? 1 : 0,
    silences: one.silences !== undefined,
  }));
  const names = Object.keys(ESCALATION_TYPES).join(", ");
  return [
    `INSERT INTO escalations (${names}) SELECT ${names} FROM ${params.table("g", ESCALATION_TYPES, rows)} ORDER BY ord
     ON CONFLICT (key) DO NOTHING`,
  ];
}

const ESCALATION_TYPES = {
  key: "text",
  run: "text",
  seq: "bigint",
  account: "text",
  lane: "text",
  username: "text",
  queue: "text",
  priority: "text",
  note: "text",
  evidence: "text",
  at: "bigint",
  silent_in: "text",
  silent_until: "bigint",
  until_resolved: "int",
  silences: "boolean",
} as const;
