import type { Entry } from "../entry.ts";
import type { Escalation, NewEscalation } from "../escalation.ts";
import type { Item, NewItem } from "../item.ts";
import type { JournalRow } from "../listings.ts";
import { runId, type StoredRun } from "../run.ts";
import { recordOf, type RowOf, rowOf, without } from "./columns.ts";
import { DECISIONS, ESCALATIONS, ITEMS, JOURNAL, RUNS, STATE } from "./tables.ts";

export type EntryRow = RowOf<typeof JOURNAL>;
export type RunRow = RowOf<typeof RUNS>;
/** Row of an item without its internal columns. */
export type ItemRow = RowOf<typeof ITEMS.shown>;
export type EscalationRow = RowOf<typeof ESCALATIONS>;
/** Cells of an item that change with its status. */
export type ItemState = RowOf<typeof ITEMS.changing>;

export function toEntry(row: EntryRow, partition: number): Entry {
  return { ...recordOf(JOURNAL, row), partition };
}

export function toItem(row: ItemRow, partition: number): Item {
  return { ...recordOf(ITEMS.shown, row), partition };
}

/** Columns of a decision without its entry's number. */
export const DECIDED = without(DECISIONS, "seq");
/** Decision on an entry; `NULL` in each column if there is none. */
export type DecidedRow = {
  readonly [Name in keyof RowOf<typeof DECIDED>]: RowOf<typeof DECIDED>[Name] | null;
};

/** @param openAttempts Failed attempts while the entry is in the inbox; `null` if it is not. */
export function toDecided(
  row: DecidedRow,
  openAttempts: number | null,
): Pick<JournalRow, "state" | "attempts" | "decidedAt" | "decision"> {
  const decided = isDecided(row) ? recordOf(DECIDED, row) : UNDECIDED;
  return openAttempts === null ? decided : { ...decided, attempts: openAttempts };
}

const UNDECIDED = { state: "open", attempts: 0 } as const;

function isDecided(row: DecidedRow): row is RowOf<typeof DECIDED> {
  return row.state !== null;
}

const STORED_RUN = without(RUNS, "ordinal");

export function toRun(row: RunRow, partition: number): StoredRun {
  return { ...recordOf(STORED_RUN, row), id: runId(row.seq, row.owner), partition };
}

export function toEscalation(row: EscalationRow): Escalation {
  const { silentIn: scope, silentUntil, untilResolved, ...escalation } = recordOf(ESCALATIONS, row);
  if (scope === undefined) return escalation;
  const until = silentUntil === undefined ? {} : { until: silentUntil };
  return { ...escalation, silences: { scope, untilResolved: untilResolved === true, ...until } };
}

/** Returns the row of a new item. @param state Cells that change with its status. */
export function newItemRow(
  item: NewItem & { readonly id: number },
  state: ItemState,
): RowOf<typeof ITEMS> {
  const { at: countedAt, heard } = item.counted ?? {};
  return { ...rowOf(ITEMS.fixed, { ...item, countedAt, heard }), ...state };
}

/** Columns of a value of user state. */
export const STATE_VALUE = without(STATE, "key");

/** Columns of a new escalation, without the number that the engine assigns. */
export const NEW_ESCALATION = without(ESCALATIONS, "id");

export function newEscalationRow({
  silences,
  ...one
}: NewEscalation): RowOf<typeof NEW_ESCALATION> {
  const { scope: silentIn, until: silentUntil, untilResolved } = silences ?? {};
  return rowOf(NEW_ESCALATION, { ...one, silentIn, silentUntil, untilResolved });
}
