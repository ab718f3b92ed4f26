import type { LedgerRow } from "../kernel/route.ts";

const documented = { fidelity: "documented", section: "Webhook management" } as const;

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/2/webhooks", ...documented },
  { method: "GET", path: "/2/webhooks", ...documented },
  {
    method: "PUT",
    path: "/2/webhooks/:webhook_id",
    ...documented,
    note: "A failed check answers CrcValidationFailed and leaves `valid` false.",
  },
  {
    method: "DELETE",
    path: "/2/webhooks/:webhook_id",
    ...documented,
    note: "Its subscriptions go with it (assumed).",
  },
  {
    behaviour: "hourly challenge, its result applied to `valid` both ways",
    fidelity: "documented",
    section: "States and transitions",
  },
  {
    behaviour: "challenges carry a nonce and are signed over their query string",
    fidelity: "assumed",
    note: "Older guides of the live service describe it.",
  },
  {
    behaviour: "a challenge is answered within 5 seconds",
    fidelity: "assumed",
    note: "The interface gives no time; a setting changes it.",
  },
  {
    behaviour: "free and basic plans have no webhook",
    fidelity: "assumed",
    note: "The interface names pro and enterprise only.",
  },
  {
    behaviour: "only hosts of the host table are called",
    fidelity: "stricter",
    note: "The sandbox never calls out.",
  },
];
