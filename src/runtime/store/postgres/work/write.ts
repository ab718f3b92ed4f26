import { countChanges } from "../counts.ts";
import type { Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import type { Pending } from "./pending.ts";
import { decisionWrites, inputWrites, sourceWrites } from "./writes/inputs.ts";
import { itemWrites, turnWrite } from "./writes/items.ts";
import { type PlaceOf, runWrites, timerWrites } from "./writes/runs.ts";
import { escalationWrites, stateWrites } from "./writes/state.ts";

/** Dependencies of {@link writeAll}. */
export interface WriteParts {
  readonly partitionOf: PlaceOf;
  /** Name under which this process stores its row counters in the table `counts`. */
  readonly writer: string;
}

/** Writes all pending changes in one statement. If items changed, a second one marks the next item of each lane. */
export async function writeAll(tx: Statements, pending: Pending, parts: WriteParts): Promise<void> {
  const params = new StatementValues();
  const writes = [
    ...inputWrites(pending, params),
    ...decisionWrites(pending, params),
    ...sourceWrites(pending, params),
    ...runWrites(pending, params, parts.partitionOf),
    ...timerWrites(pending, params, parts.partitionOf),
    ...stateWrites(pending, params),
    ...itemWrites(pending, params),
    ...escalationWrites(pending, params),
  ];
  const counts = [...pending.counts].filter(([, delta]) => delta !== 0);
  if (counts.length > 0) {
    writes.push(countChanges(params, parts.writer, Object.fromEntries(counts)));
  }
  if (writes.length === 0) return;
  const named = writes.map((sql, n) => `w${n} AS (${sql})`);
  await tx.query(`WITH ${named.join(", ")} SELECT 1`, params.values);
  const last = new StatementValues();
  const turn = turnWrite(pending, last);
  if (turn !== undefined) await tx.query(turn, last.values);
}
