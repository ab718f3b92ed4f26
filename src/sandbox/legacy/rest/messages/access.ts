import { LEGACY } from "../../ledger.ts";

/** Ledger row, callers and level of the endpoints for messages. */
export const MESSAGING = {
  ledger: LEGACY,
  auth: ["oauth1"],
  level: "read-write-directmessages",
} as const;
