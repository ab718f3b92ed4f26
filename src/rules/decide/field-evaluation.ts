import type { ListForm } from "../lists/list-form.ts";

/** What tests of a field see while an event is evaluated. */
export interface FieldEvaluation {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A text of the event as conditions compare it: folded, no white space around it. */
  fold(text: string): string;
  /** As patterns search it: as `fold`, with its case. */
  tidy(text: string): string;
  /** As lists of that form compare it. */
  formed(text: string, form: ListForm): string;
}
