import type { LedgerRow } from "../kernel/route.ts";

const documented = {
  fidelity: "documented",
  section: "Direct message endpoints",
  note: "Payloads follow the live service's description.",
} as const;

const assumed = {
  fidelity: "assumed",
  note: "Not among the interface's endpoints; follows the live service's description.",
} as const;

export const ledger: readonly LedgerRow[] = [
  { method: "POST", path: "/2/dm_conversations/:dm_conversation_id/messages", ...documented },
  { method: "POST", path: "/2/dm_conversations", ...documented },
  { method: "POST", path: "/2/dm_conversations/with/:participant_id/messages", ...documented },
  { method: "GET", path: "/2/dm_conversations/with/:user_id/dm_events", ...documented },
  { method: "GET", path: "/2/dm_conversations/:dm_conversation_id/dm_events", ...documented },
  { method: "GET", path: "/2/dm_events", ...documented },
  { method: "GET", path: "/2/dm_events/:event_id", ...assumed },
  { method: "DELETE", path: "/2/dm_events/:event_id", ...assumed },
  {
    method: "POST",
    path: "/_sandbox/dm_conversations/:id/participants",
    fidelity: "assumed",
    note: "The sandbox's own: lets users into a group or out of it.",
  },
  {
    behaviour: "message events older than 30 days are not listed",
    fidelity: "assumed",
    note: "As the live service's direct message lookup.",
  },
  {
    behaviour: "deleting a message event takes it out of the deleter's lists only",
    fidelity: "assumed",
    note: "The other participants keep it.",
  },
  {
    behaviour: "messages of groups are not delivered by account activity",
    fidelity: "assumed",
    note: "The enterprise guide of the live service says so.",
  },
  {
    behaviour: "a link to a post in a message's text is told as a referenced post",
    fidelity: "assumed",
    note: "Any host's `/status/<id>` counts, since the sandbox has no web pages of posts.",
  },
];
