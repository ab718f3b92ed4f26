import { appOf } from "../auth/caller.ts";
import { Query } from "../data-query/query.ts";
import { assumed } from "../kernel/ledger.ts";
import type { AppRow } from "../model/apps.ts";
import { dailyPosts, monthlyPosts, projectApps } from "../model/post-usage.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";

const DAY_MS = 86_400_000;
const DAYS = { min: 1, max: 90 };
const DEFAULT_DAYS = 7;
const FIELDS = [
  "cap_reset_day",
  "daily_client_app_usage",
  "daily_project_usage",
  "project_cap",
  "project_id",
  "project_usage",
] as const;

/** Route that returns the numbers of posts that count towards the monthly cap. */
export const usageRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/usage/posts",
    ledger: assumed(
      "The documentation names only the cap; follows the live service's API description. Months are calendar months in UTC.",
    ),
    auth: ["bearer"],
    limits: { app: 50 },
    handle: usage,
  },
];

/** Returns the number of posts of this month and, if requested, the numbers per day of the project and of its apps. */
function usage(call: RouteCall): RouteResponse {
  const { sandbox, dialect } = call;
  const query = new Query(call);
  const days = query.integer("days", DAYS) ?? DEFAULT_DAYS;
  const fields = query.choices("usage.fields", FIELDS);
  query.finish();
  const app = appOf(call.caller);
  const { used, cap, resetsAt } = monthlyPosts(sandbox, app);
  // In the post dialect, counts of posts are strings.
  const number = (value: number): number | string => (dialect === "post" ? String(value) : value);
  const rowsOf = (rows: ReturnType<typeof dailyPosts>): object[] =>
    rows.map(({ day, posts }) => ({ date: `${day}T00:00:00.000Z`, usage: number(posts) }));
  const appDays = (one: AppRow) => dailyPosts(sandbox, one, days);
  const apps = projectApps(sandbox, app);
  return {
    body: {
      data: {
        cap_reset_day: Math.ceil((resetsAt - sandbox.time.now()) / DAY_MS),
        project_cap: number(cap),
        project_id: app.projectId,
        project_usage: number(used),
        ...(fields.has("daily_client_app_usage") && {
          daily_client_app_usage: apps.map((one) => ({
            client_app_id: one.id,
            usage: rowsOf(appDays(one)),
            usage_result_count: days,
          })),
        }),
        ...(fields.has("daily_project_usage") && {
          daily_project_usage: {
            // The tweet dialect declares `project_id` as a number, which is too imprecise for an id, so it is left out.
            ...(dialect === "post" && { project_id: app.projectId }),
            usage: rowsOf(sumOf(apps.map(appDays))),
          },
        }),
      },
    },
  };
}

/** Sums the numbers of posts per day over several apps. */
function sumOf(days: readonly ReturnType<typeof dailyPosts>[]): ReturnType<typeof dailyPosts> {
  const [first = [], ...others] = days;
  return first.map(({ day, posts }, index) => ({
    day,
    posts: others.reduce((sum, one) => sum + (one[index]?.posts ?? 0), posts),
  }));
}
