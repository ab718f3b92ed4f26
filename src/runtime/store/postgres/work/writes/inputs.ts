import { assigned, only, rowOf } from "../../../tables/columns.ts";
import { DECISIONS, INPUTS, RULE_SOURCES } from "../../../tables/tables.ts";
import type { StatementValues } from "../../params.ts";
import type { Pending } from "../pending.ts";

/** Writes inputs that were processed, deferred or added. */
export function inputWrites(
  { takenIn, putOff, settled }: Pending,
  params: StatementValues,
): string[] {
  const writes: string[] = [];
  if (takenIn.size > 0) {
    const table = params.rows(PLACE, [...takenIn.values()]);
    writes.push(
      `DELETE FROM inputs AS i USING ${table} WHERE i.partition = g.partition AND i.seq = g.seq`,
    );
  }
  if (putOff.size > 0) {
    const rows = [...putOff.values()].map(({ input, retryAt }) => ({
      ...input,
      retry_at: retryAt,
    }));
    writes.push(
      `UPDATE inputs AS i SET ${assigned(INPUTS.changing, "g")} FROM ${params.rows(PUT_OFF, rows)}
       WHERE i.partition = g.partition AND i.seq = g.seq`,
    );
  }
  if (settled.length > 0) {
    const rows = settled.map(({ partition, lane, id }) => ({ partition, lane, item: id }));
    const computed = { seq: "nextval('input_seq')" };
    writes.push(params.insert("inputs", SETTLED, rows, { computed }));
  }
  return writes;
}

const PLACE = only(INPUTS.postgres, "partition", "seq");
const PUT_OFF = only(INPUTS.postgres, "partition", "seq", "attempts", "retry_at");
const SETTLED = only(INPUTS.postgres, "partition", "lane", "item");

export function decisionWrites({ decisions }: Pending, params: StatementValues): string[] {
  if (decisions.size === 0) return [];
  const rows = [...decisions.values()].map((one) =>
    rowOf(DECISIONS, { ...one, decidedAt: one.at, decision: one.text }),
  );
  const conflict = `ON CONFLICT (seq) DO UPDATE SET ${assigned(DECISIONS.changing)}`;
  return [params.insert("decisions", DECISIONS, rows, { conflict })];
}

/** Writes source texts of the rules that runs execute. */
export function sourceWrites({ sources }: Pending, params: StatementValues): string[] {
  if (sources.size === 0) return [];
  const rows = [...sources.values()]
    .toSorted((a, b) => (a.revision < b.revision ? -1 : 1))
    .map((one) => rowOf(RULE_SOURCES, one));
  // Many workers write the same text, so its time is updated at most once a minute.
  const conflict = `ON CONFLICT (revision) DO UPDATE SET ${assigned(RULE_SOURCES.changing)}
    WHERE rule_sources.saved_at < excluded.saved_at - 60000`;
  return [params.insert("rule_sources", RULE_SOURCES, rows, { conflict })];
}
