import { type BehaviourRow, documented } from "../kernel/ledger.ts";

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "places are selectable objects",
    ...documented("Field-selectable objects", "The field list is the live service's."),
  },
];
