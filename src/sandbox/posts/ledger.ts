import type { LedgerRow } from "../kernel/route.ts";

const note =
  "The interface shows the events but not these endpoints; they follow the live service's description.";

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/2/posts", fidelity: "assumed", note },
  { method: "DELETE", path: "/2/posts/:id", fidelity: "assumed", note },
  { method: "POST", path: "/2/users/:id/likes", fidelity: "assumed", note },
  { method: "DELETE", path: "/2/users/:id/likes/:post_id", fidelity: "assumed", note },
  {
    behaviour: "the same text twice within a day is refused",
    fidelity: "assumed",
    note: "The live service answers 403.",
  },
  {
    behaviour: "posts over 280 characters are longform",
    fidelity: "documented",
    section: "Longform posts",
  },
];
