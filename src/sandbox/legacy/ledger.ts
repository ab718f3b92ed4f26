import { assumed, type BehaviourRow } from "../kernel/ledger.ts";

/** Source of everything here. */
export const LEGACY = assumed(
  "The interface says only that a legacy interface exists; follows the live service's 1.1.",
);

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour:
      "any environment name is the app's one environment; its first webhook is the webhook",
    ...LEGACY,
  },
];
