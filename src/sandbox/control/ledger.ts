import type { LedgerRow, Method } from "../kernel/route.ts";

const own = (method: Method, path: string): LedgerRow => ({
  method,
  path: `/_sandbox/${path}`,
  fidelity: "assumed",
  note: "The sandbox's own: no part of the platform.",
});

export const ledger: readonly LedgerRow[] = [
  own("GET", "health"),
  own("POST", "reset"),
  own("GET", "state"),
  own("PUT", "state"),
  own("GET", "hosts"),
  own("PUT", "hosts/:host"),
  own("GET", "clock"),
  own("POST", "clock"),
  own("GET", "faults"),
  own("POST", "faults"),
  own("DELETE", "faults"),
  own("DELETE", "faults/:id"),
  own("GET", "deliveries"),
  own("POST", "users/:id/act"),
  own("GET", "events"),
  own("GET", "ledger"),
  own("GET", "settings"),
  own("PATCH", "settings"),
];
