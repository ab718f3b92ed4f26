import type { LedgerRow } from "../kernel/route.ts";

export const ledger: readonly LedgerRow[] = [
  {
    method: "POST",
    path: "/_sandbox/places",
    fidelity: "assumed",
    note: "The sandbox's own: makes a place that `geo.place_id` of a post can name.",
  },
  {
    behaviour: "places are selectable objects",
    fidelity: "documented",
    section: "Field-selectable objects",
    note: "The field list is the live service's.",
  },
];
