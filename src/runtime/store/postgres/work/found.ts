import type { KeptAnswer } from "../../in-mind/answer-counts.ts";
import { only, type RecordOf, type RowOf, without } from "../../tables/columns.ts";
import { INPUTS, ITEMS, RUNS, STATE, TIMERS } from "../../tables/tables.ts";

/** An input that is still to be taken in. */
export type FoundInput = RowOf<typeof FOUND_INPUT>;
export const FOUND_INPUT = only(INPUTS.postgres, "seq", "partition", "lane", "attempts");

/** Columns of a run that others depend on. */
export const FOUND_RUN = without(RUNS, "account", "revision", "body");

/** A run as far as others depend on it. The ordinals of new runs come after all others. */
export interface FoundRun extends RecordOf<typeof FOUND_RUN> {
  readonly id: string;
}

/** A row of a run, with the time of its timer. */
export type FoundRunRow = RowOf<typeof FOUND_RUN> & {
  /** Due time of the timer that the run waits for; `null` if it waits for none. */
  readonly due_at: number | null;
};

/** An item as it stands, or as it is to be kept. */
export interface FoundItem extends RowOf<typeof ITEMS> {
  readonly partition: number;
}

export const FOUND_TIMER = only(TIMERS, "id", "due_at");

/** All that a group of changes goes by, as it was read within its transaction. */
export interface Found {
  readonly inputs: readonly FoundInput[];
  readonly timers: readonly RowOf<typeof FOUND_TIMER>[];
  readonly runs: readonly FoundRunRow[];
  readonly items: readonly FoundItem[];
  readonly itemKeys: readonly { readonly key: string; readonly account: string }[];
  readonly states: readonly RowOf<typeof STATE>[];
  readonly silences: readonly { readonly id: number; readonly silent_in: string }[];
  readonly escalations: readonly { readonly key: string }[];
  readonly answers: readonly (KeptAnswer & { readonly lane: string })[];
  readonly arrivals: readonly { readonly seq: number; readonly at: number }[];
  /** Numbers for new items, in their order. */
  readonly ids: readonly number[];
}
