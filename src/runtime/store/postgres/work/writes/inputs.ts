import type { StatementValues } from "../../params.ts";
import type { Pending } from "../pending.ts";
import { ms } from "./milliseconds.ts";

/** Inputs that were taken in, put off or made, decisions, and the rules that they went by. */
export function inputWrites(
  { takenIn, putOff, settled, decisions, sources }: Pending,
  params: StatementValues,
): string[] {
  const writes: string[] = [];
  const place = { partition: "int", seq: "bigint" } as const;
  if (takenIn.size > 0) {
    const given = params.table("g", place, [...takenIn.values()]);
    writes.push(
      `DELETE FROM inputs AS i USING ${given} WHERE i.partition = g.partition AND i.seq = g.seq`,
    );
  }
  if (putOff.size > 0) {
    const rows = [...putOff.values()].map(({ input, retryAt }) => ({
      partition: input.partition,
      seq: input.seq,
      attempts: input.attempts,
      retry_at: ms(retryAt),
    }));
    const given = params.table("g", { ...place, attempts: "int", retry_at: "bigint" }, rows);
    writes.push(
      `UPDATE inputs AS i SET attempts = g.attempts, retry_at = g.retry_at FROM ${given}
       WHERE i.partition = g.partition AND i.seq = g.seq`,
    );
  }
  if (settled.length > 0) {
    const given = params.table(
      "g",
      { partition: "int", lane: "text", item: "bigint" },
      settled.map(({ partition, lane, id }) => ({ partition, lane, item: id })),
    );
    writes.push(
      `INSERT INTO inputs (seq, partition, lane, item)
       SELECT nextval('input_seq'), s.* FROM (SELECT partition, lane, item FROM ${given} ORDER BY ord) AS s`,
    );
  }
  if (decisions.size > 0) {
    const rows = [...decisions.values()].map(({ at, text, ...one }) => ({
      ...one,
      decided_at: ms(at),
      decision: text,
    }));
    const given = params.table(
      "g",
      { seq: "bigint", state: "text", attempts: "int", decided_at: "bigint", decision: "text" },
      rows,
    );
    writes.push(
      `INSERT INTO decisions (seq, state, attempts, decided_at, decision)
       SELECT seq, state, attempts, decided_at, decision FROM ${given}
       ON CONFLICT (seq) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
         decided_at = excluded.decided_at, decision = excluded.decision`,
    );
  }
  if (sources.size > 0) {
    const rows = [...sources.values()]
      .toSorted((a, b) => (a.revision < b.revision ? -1 : 1))
      .map(({ ruleId, savedAt, ...one }) => ({
        ...one,
        beside: one.beside ?? null,
        rule_id: ruleId,
        saved_at: ms(savedAt),
      }));
    const columns = {
      revision: "text",
      rule_id: "text",
      path: "text",
      text: "text",
      beside: "text",
      saved_at: "bigint",
    } as const;
    const names = Object.keys(columns).join(", ");
    writes.push(
      // What many workers write at once is written once a minute only.
      `INSERT INTO rule_sources (${names}) SELECT ${names} FROM ${params.table("g", columns, rows)} ORDER BY ord
       ON CONFLICT (revision) DO UPDATE SET saved_at = excluded.saved_at
         WHERE rule_sources.saved_at < excluded.saved_at - 60000`,
    );
  }
  return writes;
}
