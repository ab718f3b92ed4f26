import { hidden, type Sections, shown } from "./statement.ts";

const TAGS = "ads/app-event-tags.test.ts:";
const LISTS = "ads/lists.test.ts:";
const CONVERSION = "ads/conversion-event.test.ts:";
const ATTRIBUTION = "ads/attribution.test.ts:";
const ACCESS = "ads/access.test.ts:";

export const ADVERTISING: Sections = {
  "App event tag (advertising)": [
    shown(
      "a tag's fields and their defaults",
      `${TAGS} makes a tag with the documented defaults, without status and last_tracked_at`,
    ),
    shown(
      "status and last_tracked_at are read, not created",
      `${TAGS} returns the tag with status and last_tracked_at`,
      `${TAGS} makes a tag with the documented defaults, without status and last_tracked_at`,
    ),
    shown(
      "last_tracked_at follows the last report",
      `${TAGS} is when a conversion of the same app, system and type was last reported`,
    ),
    shown(
      "a deleted tag says so",
      `${TAGS} returns the tag back with deleted true, and echoes both path parameters`,
    ),
    hidden("statuses beside TRACKING are left open", "nothing is said to be held to"),
  ],
  "App list (advertising)": [
    shown("id and name", `${LISTS} lists id and name, with the rules of tags`),
  ],
  "Conversion type values (enum)": [
    shown(
      "twenty values, and no other",
      `${CONVERSION} takes the conversion type %s`,
      `${CONVERSION} refuses $query: $why`,
    ),
  ],
  "Conversion event result (response of conversion_event)": [
    shown(
      "data echoes the conversion with its value and windows",
      `${CONVERSION} echoes the conversion with its defaults, and claims nothing without an engagement`,
    ),
    shown(
      "event_metadata is an object or null, conversion_value_micro a number",
      `${CONVERSION} returns the metadata as event_metadata and the price as conversion value`,
    ),
    shown(
      "platform_attribution is always there, null without one",
      `${CONVERSION} echoes the conversion with its defaults, and claims nothing without an engagement`,
    ),
    shown(
      "its fields and the promoted properties",
      `${CONVERSION} shows the promoted engagement that led to a conversion`,
    ),
    shown(
      "tpn_attribution is there for the audience platform only",
      `${CONVERSION} claims an engagement on the audience network as tpn_attribution, and only there`,
    ),
    shown("either, or none, is claimed", `${ATTRIBUTION} is none of $why`),
    shown(
      "request.params echoes, with version_number",
      `${CONVERSION} echoes the parameters as sent, with version_number, in request.params`,
    ),
  ],
  "Advertising measurement": [
    shown(
      "POST conversion_event records and tells attribution",
      `${CONVERSION} shows the promoted engagement that led to a conversion`,
    ),
    shown("its five required parameters", `${CONVERSION} requires %s`),
    shown(
      "its optional parameters, values and defaults",
      `${CONVERSION} refuses $query: $why`,
      `${CONVERSION} echoes the conversion with its defaults, and claims nothing without an engagement`,
    ),
    shown(
      "view_through_window is at most click_window",
      `${CONVERSION} keeps view_through_window <= click_window: $why`,
    ),
    shown(
      "metadata does not affect attribution",
      `${ATTRIBUTION} does not depend on the metadata parameters`,
    ),
    shown(
      "a non-platform engagement has its time and type",
      `${ATTRIBUTION} against a $type 2 days or 1 before: $why`,
      `${ATTRIBUTION} is echoed`,
    ),
    shown(
      "GET conversion_attribution: its parameters",
      `${ATTRIBUTION} requires %s`,
      `${ATTRIBUTION} may be one of extra_device_ids`,
    ),
    shown(
      "its answer, data_type and typed params",
      `${ATTRIBUTION} echoes the parameters with data_type, and typed in request.params`,
    ),
    shown(
      "the windows' days count",
      `${ATTRIBUTION} $type $days days and $ms ms before: $why`,
      `${ATTRIBUTION} 0 days turn views off, even at the instant of the conversion`,
    ),
    shown(
      "GET app_event_tags lists with tag ids, sorting, deleted ones, totals",
      `${LISTS} lists the account's tags with their status, no deleted ones`,
      `${LISTS} picks out app_event_tag_ids, and echoes them as a list`,
      `${LISTS} sorts by $sort_by`,
      `${LISTS} adds total_count of the whole list`,
    ),
    shown(
      "the account must be the user's",
      `${ACCESS} must be associated with the authenticated user: %s`,
    ),
    shown(
      "with_total_count and cursor exclude each other",
      `${LISTS} and cursor exclude each other`,
    ),
    shown(
      "GET of one tag, deleted on demand",
      `${TAGS} returns the tag with status and last_tracked_at`,
      `${TAGS} shows the tag only with with_deleted`,
    ),
    shown(
      "POST app_event_tags: five required, four optional parameters",
      `${TAGS} requires %s`,
      `${TAGS} keeps the optional parameters`,
      `${TAGS} refuses $query: $why`,
    ),
    shown(
      "DELETE gives the tag with deleted true",
      `${TAGS} returns the tag back with deleted true, and echoes both path parameters`,
    ),
    shown("GET app_lists, by the same rules", `${LISTS} lists id and name, with the rules of tags`),
    shown("GET of one list", `${LISTS} returns one list, deleted only when requested`),
    shown(
      "parameters are sent in the query",
      `${CONVERSION} reads only the query, and explains this to a request that sends them in the body`,
    ),
    hidden("other endpoints of the area are left open", "nothing is said to be held to"),
  ],
  "Cursor pagination (designated advertising GET endpoints)": [
    shown("count and cursor are optional", `${LISTS} takes 1 and 1000, and is 200 by default`),
    shown(
      "more than count: the first ones and a next_cursor",
      `${LISTS} returns the first count entities and a next_cursor while there are more`,
    ),
    shown(
      "the cursor leads on, and is opaque",
      `${LISTS} loses and doubles nothing when entities come and go between pages`,
      `${LISTS} refuses a cursor that is $why`,
    ),
    shown(
      "next_cursor is null at the end",
      `${LISTS} has a null next_cursor when the last page is exactly full`,
    ),
    hidden("analytics page by time", "the area has no analytics endpoint"),
  ],
};
