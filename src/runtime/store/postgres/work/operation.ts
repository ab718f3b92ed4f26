import type { ItemTransition } from "../../item.ts";
import type { CommitResult, Transition } from "../../transition.ts";

/** What a worker asks to be kept: what follows from inputs, or changes of items. */
export type StoreOperation = { readonly worker: string } & (
  | { readonly kind: "commit"; readonly transitions: readonly Transition[] }
  | { readonly kind: "change"; readonly transitions: readonly ItemTransition[] }
);

/** An answer for each transition of an operation. */
export type Answered = readonly CommitResult[];

/** The transitions that their workers may keep, and the changes of items. */
export interface AllowedWork {
  readonly commits: readonly Transition[];
  readonly changes: readonly ItemTransition[];
}
