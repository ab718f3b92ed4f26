import type { LedgerRow } from "../kernel/route.ts";

export const ledger: readonly LedgerRow[] = [
  {
    method: "POST",
    path: "/_sandbox/polls/:id/votes",
    fidelity: "assumed",
    note: "The sandbox's own: the interface has no endpoint to vote.",
  },
  {
    behaviour: "polls are selectable objects; voting_status follows the clock",
    fidelity: "documented",
    section: "Field-selectable objects",
    note: "The field list is the live service's.",
  },
];
