import type { LedgerRow, Method } from "../kernel/route.ts";

const section = "Advertising measurement";

const documented = (method: Method, path: string, note?: string): LedgerRow => ({
  method,
  path: `/ads/:version${path}`,
  fidelity: "documented",
  section,
  ...(note === undefined ? {} : { note }),
});

const own = (method: Method, path: string, note: string): LedgerRow => ({
  method,
  path: `/_sandbox/ads/${path}`,
  fidelity: "assumed",
  note: `The sandbox's own: ${note}`,
});

const assumed = (behaviour: string, note: string): LedgerRow => ({
  behaviour,
  fidelity: "assumed",
  note,
});

export const ledger: readonly LedgerRow[] = [
  documented("POST", "/conversion_event"),
  documented("GET", "/conversion_attribution"),
  documented("GET", "/accounts/:account_id/app_event_tags"),
  documented("GET", "/accounts/:account_id/app_event_tags/:app_event_tag_id"),
  documented("POST", "/accounts/:account_id/app_event_tags"),
  documented("DELETE", "/accounts/:account_id/app_event_tags/:id"),
  documented("GET", "/accounts/:account_id/app_lists"),
  documented(
    "GET",
    "/accounts/:account_id/app_lists/:app_list_id",
    "The answer's shape is assumed.",
  ),
  own("POST", "accounts", "stands for the advertising account's settings."),
  own("POST", "engagements", "stands for people who see and click advertisements."),
  own("POST", "app_lists", "stands for the advertiser's own tools."),
  own("DELETE", "app_lists/:id", "stands for the advertiser's own tools."),
  own("PATCH", "app_event_tags/:id", "status of a tag; its transitions are not shown."),
  { behaviour: "cursor pagination", fidelity: "documented", section: "Cursor pagination" },
  {
    behaviour: "with_total_count has a budget of 200 requests in 15 minutes",
    fidelity: "documented",
    section: "Limits",
    note: "Counted per user.",
  },
  assumed("advertising requests are signed for a user", "The interface shows no scheme."),
  assumed("advertising error bodies and codes", "Those of public guides."),
  assumed(
    "click before view, then the latest, inside the windows around conversion_time",
    "The interface names windows and types only. Both ends of a window count.",
  ),
  assumed(
    "a non-platform engagement that wins the same comparison takes the claim away",
    "One conversion has one cause. Without a type it counts as the kind of the platform's best.",
  ),
  assumed(
    "extra_device_ids are split at commas and count like hashed_device_id",
    "The interface says that they are further hashed ids.",
  ),
  assumed("tpn_attribution looks like platform_attribution", "Its shape is not shown."),
  assumed("conversion_value_micro is price_micro, or 0", "The interface gives its type only."),
  assumed("partner_client_id is the id of the calling app", "The interface gives its type only."),
  assumed("sort_by takes any field of the listed object", "The attributes are not shown."),
  assumed(
    "last_tracked_at is when a conversion of the tag's app, system and type was last reported",
    "The interface names the field only; null until then.",
  ),
  assumed(
    "lists also answer under version 5, with a warning header",
    "A description of pagination uses it; every other version is ROUTE_NOT_FOUND.",
  ),
  assumed("budgets of conversions, reads and writes", "60,000, 2,000 and 6,750 in 15 minutes."),
  {
    behaviour: "advertising parameters in a body are not read, and one given twice is refused",
    fidelity: "stricter",
    note: "The interface sends them in the query.",
  },
];
