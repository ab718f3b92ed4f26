import { assumed, type BehaviourRow } from "../kernel/ledger.ts";

/** Endpoints that only the live service describes. */
export const DESCRIBED = assumed(
  "Not among the interface's endpoints; follows the live service's description.",
);

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "a private list is not found by anybody but its owner",
    ...assumed("The live service says no more of it to others."),
  },
  {
    behaviour:
      "only the owner of a list changes it and its members; who blocks the owner is not added",
    ...assumed("Others get 403, as from the live service."),
  },
];
