import { assumed } from "../kernel/ledger.ts";

/** Fidelity note that all routes of version 1.1 share. */
export const LEGACY = assumed(
  "The documentation says only that a legacy interface exists; follows the live service's 1.1.",
);
