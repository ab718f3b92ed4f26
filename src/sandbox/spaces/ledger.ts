import { assumed, type BehaviourRow } from "../kernel/ledger.ts";

/** Endpoints that only the live service describes. */
export const DESCRIBED = assumed(
  "Not among the interface's endpoints; follows the live service's description.",
);

/** What people do at their own clients. */
export const PEOPLE = assumed("The sandbox's own: nobody else opens or ends a space here.");

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour:
      "spaces are those that the control interface made; who is in them does not change by itself",
    ...assumed("The sandbox has no sound."),
  },
];
