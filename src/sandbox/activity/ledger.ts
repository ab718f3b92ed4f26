import type { LedgerRow } from "../kernel/route.ts";

const documented = { fidelity: "documented", section: "Account activity" } as const;
const all = "/2/account_activity/webhooks/:webhook_id/subscriptions/all";
const delivery = { fidelity: "documented", section: "Delivery rules" } as const;

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: all, ...documented },
  { method: "GET", path: all, ...documented },
  {
    method: "DELETE",
    path: "/2/account_activity/webhooks/:webhook_id/subscriptions/:user_id/all",
    ...documented,
  },
  { method: "GET", path: `${all}/list`, ...documented },
  {
    method: "GET",
    path: "/2/account_activity/subscriptions/count",
    ...documented,
    note: "`account_name` is the project's name (assumed).",
  },
  {
    method: "POST",
    path: "/2/account_activity/replay/webhooks/:webhook_id/subscriptions/all",
    ...documented,
    note: "`for_user_id` is the first subscribed user (assumed).",
  },
  {
    method: "POST",
    path: "/2/webhooks/replay",
    fidelity: "assumed",
    note: "The live service's newer replay endpoint.",
  },
  {
    method: "DELETE",
    path: "/_sandbox/users/:id/apps/:app_id",
    fidelity: "documented",
    section: "Account activity",
    note: "Stands for the user's own settings page.",
  },
  { behaviour: "one event for each subscribed account involved", ...delivery },
  {
    behaviour: "event payloads",
    fidelity: "documented",
    section: "Event kinds",
    note: "Objects of posts and users follow recorded bodies of the live service.",
  },
  {
    behaviour: "signature header of deliveries",
    fidelity: "assumed",
    note: "sha256= and base64 HMAC-SHA256 of the raw body, keyed with the consumer secret.",
  },
  {
    behaviour: "retries after 3, 27 and 242 seconds, then the event is dropped",
    fidelity: "assumed",
    note: "The interface shows no retry rule.",
  },
  {
    behaviour: "events stop while a webhook is not valid",
    fidelity: "assumed",
    note: "They stay replayable.",
  },
  {
    behaviour: "order of deliveries to one account is kept",
    fidelity: "assumed",
    note: "The live service gives no guarantee; faults reorder.",
  },
  {
    behaviour: "replayed events are not retried",
    fidelity: "assumed",
    note: "A job that missed one ends Incomplete.",
  },
  {
    behaviour: "`user_has_blocked` stands on mentions and replies by others",
    fidelity: "assumed",
    note: "The interface shows it in the mention payload.",
  },
];
