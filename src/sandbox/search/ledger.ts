import type { LedgerRow } from "../kernel/route.ts";

export const ledger: readonly LedgerRow[] = [
  {
    method: "GET",
    path: "/2/posts/search/recent",
    fidelity: "documented",
    section: "Data interface and field selection",
    note: "Parameters beyond query, post.fields, user.fields and expansions are the live service's.",
  },
  {
    behaviour: "search operators, their precedence and what needs another clause beside it",
    fidelity: "assumed",
    note: "The live service's operators; `list:` matches nothing, since the sandbox has no lists.",
  },
  {
    behaviour: "recent search reaches seven days back and finds posts at once",
    fidelity: "assumed",
    note: "The live service leaves out the last ten to thirty seconds.",
  },
  {
    behaviour: "reposts are not found by words, tags, mentions or links",
    fidelity: "assumed",
    note: "As the live service since May 2026; `from:` and `retweets_of:` find them.",
  },
  {
    behaviour: "sort_order relevancy gives the order of recency",
    fidelity: "assumed",
    note: "The live service does not tell how it weighs relevancy.",
  },
];
