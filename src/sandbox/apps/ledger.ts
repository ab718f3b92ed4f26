import type { LedgerRow } from "../kernel/route.ts";

const section = "Developer app settings";
const control = "The sandbox's own: stands for the developer portal.";

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/_sandbox/projects", fidelity: "assumed", note: control },
  { method: "POST", path: "/_sandbox/apps", fidelity: "assumed", note: control },
  {
    method: "GET",
    path: "/_sandbox/apps/:id",
    fidelity: "documented",
    section,
    note: "Key hints, never a secret.",
  },
  { method: "PATCH", path: "/_sandbox/apps/:id", fidelity: "assumed", note: control },
  {
    method: "POST",
    path: "/_sandbox/users/:id/tokens",
    fidelity: "assumed",
    note: "The log-in flow's result without the pages.",
  },
  { behaviour: "apps per project", fidelity: "documented", section: "Limits" },
  { behaviour: "callback allowlist", fidelity: "documented", section: "Callback URL rules" },
  {
    behaviour: "a token keeps the level it was issued with, unless the app has less now",
    fidelity: "assumed",
    note: "The interface says that tokens must be discarded after a change of level.",
  },
];
