import type { LedgerRow } from "../kernel/route.ts";

const assumed = {
  fidelity: "assumed",
  note: "The interface says only that a legacy interface exists; follows the live service's 1.1.",
} as const;

const ENV = "/1.1/account_activity/all/:env";

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: `${ENV}/webhooks.json`, ...assumed },
  { method: "GET", path: `${ENV}/webhooks.json`, ...assumed },
  { method: "PUT", path: `${ENV}/webhooks/:file`, ...assumed },
  { method: "DELETE", path: `${ENV}/webhooks/:file`, ...assumed },
  { method: "POST", path: `${ENV}/subscriptions.json`, ...assumed },
  { method: "GET", path: `${ENV}/subscriptions.json`, ...assumed },
  { method: "GET", path: `${ENV}/subscriptions/list.json`, ...assumed },
  { method: "DELETE", path: `${ENV}/subscriptions/:file`, ...assumed },
  { method: "GET", path: `${ENV}/subscriptions/count.json`, ...assumed },
  {
    method: "GET",
    path: "/1.1/account_activity/all/subscriptions/count.json",
    ...assumed,
  },
  {
    behaviour:
      "any environment name is the app's one environment; its first webhook is the webhook",
    ...assumed,
  },
];
