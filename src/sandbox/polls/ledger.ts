import { type BehaviourRow, documented } from "../kernel/ledger.ts";

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "polls are selectable objects; voting_status follows the clock",
    ...documented("Field-selectable objects", "The field list is the live service's."),
  },
];
