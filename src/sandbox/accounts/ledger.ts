import type { LedgerRow } from "../kernel/route.ts";

const control = "The sandbox's own: stands for people at their own clients.";

const note = "Not among the interface's endpoints; follows the live service's description.";

export const ledger: readonly LedgerRow[] = [
  { method: "GET", path: "/2/users/me", fidelity: "assumed", note },
  { method: "GET", path: "/2/users/by/username/:username", fidelity: "assumed", note },
  { method: "POST", path: "/2/users/:id/following", fidelity: "assumed", note },
  { method: "DELETE", path: "/2/users/:id/following/:target_user_id", fidelity: "assumed", note },
  { method: "POST", path: "/_sandbox/users", fidelity: "assumed", note: control },
  { method: "GET", path: "/_sandbox/users", fidelity: "assumed", note: control },
  { method: "PATCH", path: "/_sandbox/users/:id", fidelity: "assumed", note: control },
];
