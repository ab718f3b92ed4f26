import type { LedgerRow } from "../kernel/route.ts";

const assumed = {
  fidelity: "assumed",
  note: "The interface shows the objects but not this endpoint; it follows the live service's description.",
} as const;

export const ledger: readonly LedgerRow[] = [
  { method: "GET", path: "/2/posts", ...assumed },
  { method: "GET", path: "/2/posts/:id", ...assumed },
  { method: "GET", path: "/2/posts/:id/quote_posts", ...assumed },
  { method: "GET", path: "/2/posts/:id/reposts", ...assumed },
  { method: "GET", path: "/2/posts/:id/reposted_by", ...assumed },
  { method: "GET", path: "/2/posts/:id/liking_users", ...assumed },
  { method: "GET", path: "/2/users/:id/liked_posts", ...assumed },
  { method: "GET", path: "/2/users/:id/posts", ...assumed },
  { method: "GET", path: "/2/users/:id/mentions", ...assumed },
  { method: "GET", path: "/2/users/:id/timelines/reverse_chronological", ...assumed },
  { method: "POST", path: "/2/posts", ...assumed },
  { method: "DELETE", path: "/2/posts/:id", ...assumed },
  { method: "PUT", path: "/2/posts/:id/hidden", ...assumed },
  { method: "POST", path: "/2/users/:id/likes", ...assumed },
  { method: "DELETE", path: "/2/users/:id/likes/:post_id", ...assumed },
  { method: "POST", path: "/2/users/:id/reposts", ...assumed },
  { method: "DELETE", path: "/2/users/:id/reposts/:post_id", ...assumed },
  {
    behaviour: "a post has id and text by default, and edit_history_post_ids since 2022-09-29",
    fidelity: "documented",
    section: "Field-selectable objects",
  },
  {
    behaviour: "an expansion shows the field it joins by, such as author_id",
    fidelity: "assumed",
    note: "Naming the expansion counts as asking for the field, as on the live service.",
  },
  {
    behaviour: "a field that is no top-level field, or stands twice, is refused",
    fidelity: "stricter",
    note: "The interface says that subfields cannot be selected; the answer is the live service's 400.",
  },
  {
    behaviour: "the same text twice within a day is refused",
    fidelity: "assumed",
    note: "The live service answers 403.",
  },
  {
    behaviour: "posts over 280 characters are longform: a shortened text, the whole in note_post",
    fidelity: "documented",
    section: "Longform posts",
    note: "Shown for events; the data interface cuts at 280 characters, as the live service.",
  },
  {
    behaviour: "a post can be edited five times within an hour",
    fidelity: "assumed",
    note: "The live service says 30 minutes in one place, an hour in another.",
  },
  {
    behaviour: "private metrics are for the author; others get a problem in `errors`",
    fidelity: "assumed",
    note: "As the live service; counts of views and clicks are 0.",
  },
  {
    behaviour: "the language of a post is judged by its script",
    fidelity: "assumed",
    note: "Latin letters count as English.",
  },
];
