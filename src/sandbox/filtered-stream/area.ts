import type { Area } from "../server/route.ts";
import { assumed } from "../kernel/ledger.ts";
import { connectionRoutes } from "./connection-routes.ts";
import { streamRules } from "./entities.ts";
import { routes } from "./routes.ts";

/** Live streams of new posts, filtered by an app's rules. */
export const filteredStream: Area = {
  name: "filtered-stream",
  tables: [streamRules],
  routes: [...routes, ...connectionRoutes],
  behaviours: [
    {
      behaviour:
        "a filtered stream sends a line for each new post, and an empty one after 20 seconds",
      ...assumed(
        "As on the live service, by the sandbox's clock. A jump of the clock causes one empty line.",
      ),
    },
    {
      behaviour:
        "rules of the filtered stream are search queries; posts that apps may not see are left out",
      ...assumed(
        "Without `list:`, `quotes_of_tweet_id:` and `min_*:`. The live service has further operators for streams, such as `sample:`.",
      ),
    },
    {
      behaviour:
        "invalid and existing rules are in `errors`; the answer is 201 if a rule was added, otherwise 200",
      ...assumed("As clients of the live service expect: DuplicateRule, UnprocessableEntity."),
    },
    {
      behaviour: "an app has up to 1,000 rules, and one stream at a time (enterprise plan: two)",
      ...assumed(
        "As on the live service. A project has as many rules as an app, on the enterprise plan 5,000. A further stream is refused with 429, TooManyConnections.",
      ),
    },
    {
      behaviour:
        "backfill repeats matching posts of the last minutes before new ones, oldest first",
      ...assumed("As on the live service, but on every plan; `start_time` reaches back a day."),
    },
  ],
};
