import type { LedgerRow } from "../kernel/route.ts";

const documented = {
  fidelity: "documented",
  section: "Direct message endpoints",
  note: "Payloads follow the live service's description.",
} as const;

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/2/dm_conversations/with/:participant_id/messages", ...documented },
  { method: "GET", path: "/2/dm_conversations/with/:participant_id/dm_events", ...documented },
];
