import type { Escalation, EscalationPriority } from "../escalation.ts";

/** An escalation as a table has it. */
export interface EscalationRow {
  readonly id: number;
  readonly key: string;
  readonly run: string;
  readonly seq: number;
  readonly account: string;
  readonly lane: string;
  readonly username: string | null;
  readonly queue: string;
  readonly priority: EscalationPriority;
  readonly note: string | null;
  readonly evidence: string | null;
  readonly at: number;
  readonly resolved_at: number | null;
  readonly silent_in: string | null;
  readonly silent_until: number | null;
  readonly until_resolved: number;
}

export function toEscalation(row: EscalationRow): Escalation {
  const { id, key, run, seq, account, lane, username, queue, priority, note, at } = row;
  const { silent_in: scope, silent_until: until, resolved_at: resolvedAt } = row;
  return {
    id,
    key,
    run,
    seq,
    account,
    lane,
    queue,
    priority,
    at,
    ...(username !== null && { username }),
    ...(note !== null && { note }),
    ...(row.evidence !== null && { evidence: JSON.parse(row.evidence) }),
    ...(resolvedAt !== null && { resolvedAt }),
    ...(scope !== null && {
      silences: {
        scope,
        untilResolved: row.until_resolved === 1,
        ...(until !== null && { until }),
      },
    }),
  };
}
