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
      behaviour: "search operators, their precedence, and operators that need another clause",
      ...assumed(
        "The live service's operators. `list:` finds posts of the members of a public list, and nothing for private ones.",
      ),
    },
    {
      behaviour: "recent search reaches back seven days, and finds a post immediately",
      ...assumed(
        "The live service does not find posts of the last ten to thirty seconds. `search_delay` hides a post as long.",
      ),
    },
    {
      behaviour:
        "search refuses times of the last ten seconds, old `since_id`s, and ids together with times",
      ...assumed(
        "As in errors of the live service. Recent search takes a `since_id` of seven days.",
      ),
    },
    {
      behaviour: "search finds no repost by words, tags, mentions or links",
      ...assumed("As on the live service since May 2026; `from:` and `retweets_of:` find reposts."),
    },
    {
      behaviour: "sort_order relevancy sorts by time",
      ...assumed("The live service does not document how it computes relevancy."),
    },
    {
      behaviour: "search of all posts and its counts reach back thirty days by default",
      ...assumed("As documented by the live service; `start_time` may be as early as 2006-03-21."),
    },
    {
      behaviour:
        "counts are per minute, hour or day (UTC), with 31 days a page, the newest page first",
      ...assumed(
        "The first and last period end at the requested times. `tweet_count` in the tweet dialect, `post_count` in the other.",
      ),
    },
  ],
};
