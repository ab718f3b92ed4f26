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
        "As the live service; by the sandbox's clock. A move of the clock brings one line.",
      ),
    },
    {
      behaviour:
        "rules of the filtered stream are queries of search; what apps may not see is left out",
      ...assumed("The live service has more operators for streams, such as `sample:`."),
    },
    {
      behaviour:
        "rules that are invalid or there already are in `errors`; the answer is 201 where one was added, else 200",
      ...assumed("As clients of the live service read it: DuplicateRule, UnprocessableEntity."),
    },
    {
      behaviour: "1,000 rules for an app; one stream at a time, on the enterprise plan two",
      ...assumed(
        "The live service's limits. One more stream is refused with 429, TooManyConnections.",
      ),
    },
    {
      behaviour:
        "backfill gives what matched in the last minutes once more, oldest first, then what is new",
      ...assumed("As the live service; on every plan, and `start_time` for up to a day."),
    },
  ],
};
