import type { KeptAnswer } from "../../in-mind/answer-counts.ts";
import type { MachineRun } from "../../machine/port.ts";
import type { ItemRow } from "../../rows/rows.ts";
import type { RunStatus } from "../../run.ts";

/** An input that is still to be taken in. */
export interface FoundInput {
  readonly seq: number;
  readonly partition: number;
  readonly lane: string;
  readonly attempts: number;
}

/** A run as far as others depend on it. */
export interface FoundRun extends MachineRun {
  readonly seq: number;
  readonly owner: string;
  readonly lane: string;
  /** Of those that are made just now: after all others. */
  readonly ordinal: number;
  readonly listens?: boolean;
}

/** A row of a run, with the time of its timer. */
export interface FoundRunRow {
  readonly seq: number;
  readonly owner: string;
  readonly lane: string;
  readonly ordinal: number;
  readonly status: RunStatus;
  readonly waits_for: string | null;
  readonly version: number;
  readonly listens: number;
  readonly slot: string | null;
  readonly queues: number;
  /** Due time of the timer that the run waits for; `null` if it waits for none. */
  readonly due_at: number | null;
}

/** An item as it stands, or as it is to be kept. */
export interface FoundItem extends ItemRow {
  readonly partition: number;
  readonly counted_at: number | null;
  readonly heard: string | null;
}

export interface FoundTimer {
  readonly id: string;
  readonly due_at: number;
}

export interface FoundState {
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly expires_at: number | null;
}

export interface FoundSilence {
  readonly id: number;
  readonly silent_in: string;
}

/** All that a group of changes goes by, as it was read within its transaction. */
export interface Found {
  readonly inputs: readonly FoundInput[];
  readonly timers: readonly FoundTimer[];
  readonly runs: readonly FoundRunRow[];
  readonly items: readonly FoundItem[];
  readonly itemKeys: readonly { readonly key: string; readonly account: string }[];
  readonly states: readonly FoundState[];
  readonly silences: readonly FoundSilence[];
  readonly escalations: readonly { readonly key: string }[];
  readonly answers: readonly (KeptAnswer & { readonly lane: string })[];
  readonly arrivals: readonly { readonly seq: number; readonly at: number }[];
  /** Numbers for new items, in their order. */
  readonly ids: readonly number[];
}
