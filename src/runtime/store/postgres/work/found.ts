import type { KeptAnswer } from "../../in-memory/answer-counts.ts";
import { only, type RecordOf, type RowOf, without } from "../../tables/columns.ts";
import { INPUTS, ITEMS, RUNS, STATE, TIMERS } from "../../tables/tables.ts";

/** Row of an input that no transition has processed yet. */
export type FoundInput = RowOf<typeof FOUND_INPUT>;
export const FOUND_INPUT = only(INPUTS.postgres, "seq", "partition", "lane", "attempts");

/** Columns of a run that the state machine needs. */
export const FOUND_RUN = without(RUNS, "account", "revision", "body");

/** Run with {@link FOUND_RUN}'s columns. The ordinals of new runs come after those of all stored runs. */
export interface FoundRun extends RecordOf<typeof FOUND_RUN> {
  readonly id: string;
}

/** Row of a run, with the due time of its timer. */
export type FoundRunRow = RowOf<typeof FOUND_RUN> & {
  /** Due time of the timer of a run that queues for its slot; `null` for other runs. */
  readonly due_at: number | null;
};

/** Stored item, or its new content. */
export interface FoundItem extends RowOf<typeof ITEMS> {
  readonly partition: number;
}

export const FOUND_TIMER = only(TIMERS, "id", "due_at");

/** Rows that a group of changes depends on, read within its transaction. */
export interface Found {
  readonly inputs: readonly FoundInput[];
  readonly timers: readonly RowOf<typeof FOUND_TIMER>[];
  readonly runs: readonly FoundRunRow[];
  readonly items: readonly FoundItem[];
  readonly itemKeys: readonly { readonly key: string; readonly account: string }[];
  readonly states: readonly RowOf<typeof STATE>[];
  readonly silences: readonly { readonly id: number; readonly silent_in: string }[];
  readonly escalations: readonly { readonly key: string }[];
  readonly answers: readonly (KeptAnswer & { readonly lane: string; readonly person: string })[];
  /**
   * Times of the events that the queued items answer, each with the times in which other stores answered; empty if no
   * other store answered.
   */
  readonly arrivals: readonly {
    readonly seq: number;
    readonly at: number;
    /** Value of `ANSWERED_ELSEWHERE`. */
    readonly answered: string;
  }[];
  /** Lanes that can send nothing now, among the lanes of items to be sent. */
  readonly blocked: readonly { readonly lane: string }[];
  /** Ids for new items, in ascending order. */
  readonly ids: readonly number[];
}
