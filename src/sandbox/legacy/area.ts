import type { Area } from "../server/route.ts";
import { savedSearches } from "../model/saved-searches.ts";
import { welcomeMessages, welcomeRules } from "../model/welcome-messages.ts";
import { restRoutes } from "./rest/routes.ts";
import { routes } from "./routes.ts";
import { assumed } from "../kernel/ledger.ts";
import { LEGACY } from "./ledger.ts";

/** Version 1.1 of the API: other paths and names for the objects of version 2, and objects that version 2 lacks. */
export const legacy: Area = {
  name: "legacy",
  tables: [welcomeMessages, welcomeRules, savedSearches],
  routes: [...routes, ...restRoutes],
  behaviours: [
    {
      behaviour:
        "every environment name means the app's only environment; its webhook is the app's first",
      ...LEGACY,
    },
    {
      behaviour: "objects of version 1.1 always use the names of the tweet dialect",
      ...assumed("Version 1.1 of the live service has never used others."),
    },
    {
      behaviour:
        "1.1: in_reply_to_status_id works only for one's own post or if the text mentions its author",
      ...assumed("As in the live service's reference of statuses/update."),
    },
    {
      behaviour: "1.1: only auto_populate_reply_metadata adds the handles of the thread to a reply",
      ...assumed(
        "As in the live service's reference. Without it, handles typed at the beginning count as the reply's handles.",
      ),
    },
    {
      behaviour: "1.1: only the text of longform posts is shortened to 140 characters",
      ...assumed("As in documented event bodies; tweet_mode=extended gives full_text."),
    },
    {
      behaviour: "1.1: limits of three hours are applied to 15 minutes",
      ...assumed("300 statuses in 15 minutes; the live service allows 300 in three hours."),
    },
    {
      behaviour: "1.1: search accepts filter:, exclude:, since: and until: beside the v2 operators",
      ...assumed("As named in the reference of the live service's standard search."),
    },
    {
      behaviour: "1.1: pictures of a profile are checked, but not stored",
      ...assumed("Bytes that are no picture give code 44. The picture's URL depends on its bytes."),
    },
    {
      behaviour: "1.1: welcome messages are stored, but never sent",
      ...assumed("Only a client shows them, when a person opens a conversation."),
    },
    {
      behaviour: "1.1: the id of a status is accepted in the path and as a parameter",
      ...assumed("Older and newer clients send it differently."),
    },
    {
      behaviour:
        "rate_limit_status also lists v2 endpoints, with the method in the name of the family",
      ...assumed("As recorded from the live service: families such as `graphql&POST`."),
    },
  ],
};
