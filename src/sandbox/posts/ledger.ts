import { assumed } from "../kernel/ledger.ts";

/** Fidelity of endpoints that are missing in the documentation, but not in the live service's API description. */
export const DESCRIBED = assumed(
  "The documentation shows the objects, but not this endpoint; follows the live service's API description.",
);
