import type { Area } from "../server/route.ts";
import { assumed } from "../kernel/ledger.ts";
import { controlInput, ownRoute } from "../server/control-input.ts";
import { delayInput, delayInSearch, latePosts } from "./late-posts.ts";
import { routes } from "./routes.ts";

/** Search of recent posts and of the full archive, and counts of the results. */
export const search: Area = {
  name: "search",
  tables: [latePosts],
  routes: [
    ...routes,
    {
      method: "PUT",
      path: "/_sandbox/posts/:id/search_delay",
      ...ownRoute("the live service lets search find some posts later than newer ones."),
      handle: (call) => {
        const { ms } = controlInput(call, delayInput);
        const until = delayInSearch(call.sandbox, call.params["id"] ?? "", ms);
        return { body: { found_from: new Date(until).toISOString() } };
      },
    },
  ],
  behaviours: [
    {
      behaviour: "search operators, their precedence and what needs another clause beside it",
      ...assumed(
        "The live service's operators; `list:` matches nothing, since the sandbox has no lists.",
      ),
    },
    {
      behaviour: "recent search reaches seven days back and finds posts at once",
      ...assumed("The live service leaves out the last ten to thirty seconds."),
    },
    {
      behaviour: "reposts are not found by words, tags, mentions or links",
      ...assumed("As the live service since May 2026; `from:` and `retweets_of:` find them."),
    },
    {
      behaviour: "sort_order relevancy gives the order of recency",
      ...assumed("The live service does not tell how it weighs relevancy."),
    },
    {
      behaviour: "search of all posts and its counts go thirty days back unless told otherwise",
      ...assumed("As the live service says; `start_time` may be as early as 2006-03-21."),
    },
    {
      behaviour:
        "counts are in whole minutes, hours or days of UTC, 31 days a page, the newest page first",
      ...assumed(
        "The first and the last span are cut to start and end. `tweet_count` in the tweet dialect, `post_count` in the other.",
      ),
    },
  ],
};
