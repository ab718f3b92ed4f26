import type { LedgerRow } from "../kernel/route.ts";

const control = {
  fidelity: "assumed",
  note: "The sandbox's own: stands for people at their own clients.",
} as const;

const assumed = {
  fidelity: "assumed",
  note: "Not among the interface's endpoints; follows the live service's description.",
} as const;

const formerly = {
  fidelity: "assumed",
  note: "The live service took it out of v2 in 2024; kept for clients of before.",
} as const;

export const ledger: readonly LedgerRow[] = [
  { method: "GET", path: "/2/users/me", ...assumed },
  { method: "GET", path: "/2/users", ...assumed },
  { method: "GET", path: "/2/users/by", ...assumed },
  { method: "GET", path: "/2/users/by/username/:username", ...assumed },
  { method: "GET", path: "/2/users/:id", ...assumed },
  { method: "GET", path: "/2/users/:id/followers", ...assumed },
  { method: "GET", path: "/2/users/:id/following", ...assumed },
  { method: "GET", path: "/2/users/:id/blocking", ...assumed },
  { method: "GET", path: "/2/users/:id/muting", ...assumed },
  { method: "POST", path: "/2/users/:id/following", ...assumed },
  { method: "DELETE", path: "/2/users/:id/following/:target_user_id", ...assumed },
  { method: "POST", path: "/2/users/:id/muting", ...assumed },
  { method: "DELETE", path: "/2/users/:id/muting/:target_user_id", ...assumed },
  { method: "POST", path: "/2/users/:id/blocking", ...formerly },
  { method: "DELETE", path: "/2/users/:id/blocking/:target_user_id", ...formerly },
  { method: "POST", path: "/2/users/:id/dm/block", ...assumed },
  { method: "POST", path: "/2/users/:id/dm/unblock", ...assumed },
  { method: "POST", path: "/_sandbox/users", ...control },
  { method: "GET", path: "/_sandbox/users", ...control },
  { method: "PATCH", path: "/_sandbox/users/:id", ...control },
  { method: "POST", path: "/_sandbox/users/:id/follow_requests/:from", ...control },
  {
    behaviour: "a user has id, name and username by default, also inside includes",
    fidelity: "documented",
    section: "Field-selectable objects",
  },
  {
    behaviour: "following a protected user asks for permission first",
    fidelity: "assumed",
    note: "The answer says `pending_follow`; the control interface accepts or refuses.",
  },
  {
    behaviour: "a missing user is 404, a suspended one 403, each with the problem in `errors`",
    fidelity: "assumed",
    note: "The live service has answered 200 with `errors` alone as well.",
  },
];
