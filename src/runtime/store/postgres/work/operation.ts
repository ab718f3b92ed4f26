import type { ItemTransition } from "../../item.ts";
import type { ItemResult, Transition, TransitionResult } from "../../transition.ts";

/** Request of a worker to commit transitions of inputs or changes of items. */
export type StoreOperation = { readonly worker: string } & (
  | { readonly kind: "commit"; readonly transitions: readonly Transition[] }
  | { readonly kind: "change"; readonly transitions: readonly ItemTransition[] }
);

/** Results of an operation, one for each transition. */
export type Answered = readonly (ItemResult | TransitionResult)[];

/** Transitions and changes of items that the workers' leases allow. */
export interface AllowedWork {
  readonly commits: readonly Transition[];
  readonly changes: readonly ItemTransition[];
}
