import type { LedgerRow } from "../kernel/route.ts";

const control = "The sandbox's own: stands for people at their own clients.";

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/_sandbox/users", fidelity: "assumed", note: control },
  { method: "GET", path: "/_sandbox/users", fidelity: "assumed", note: control },
  { method: "PATCH", path: "/_sandbox/users/:id", fidelity: "assumed", note: control },
];
