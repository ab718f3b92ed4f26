import { latest, OWN } from "../server/control-input.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { activities, type ActivityRow } from "../model/activity.ts";
import { type ActivityWords, saidIn } from "./emit.ts";

/**
 * An action of a person. For posts and messages, it includes the text and the ids of the posts that a post refers to.
 */
export interface SandboxActivity extends Omit<ActivityRow, "lanes">, ActivityWords {}

/** Route that lists what people did, including activities that no subscription covers. */
export const activitiesRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/_sandbox/activities",
    ...OWN,
    handle: list,
  },
];

/** Lists the latest activities, oldest first. Activities that no subscription received are in the feed only. */
function list(call: RouteCall): RouteResponse {
  const { sandbox, query } = call;
  const user = query.get("user");
  const activitiesById = new Map<string, SandboxActivity>();
  const take = ({ lanes, ...happening }: SandboxActivity & { readonly lanes?: unknown }): void => {
    if (user === null || happening.by === user || happening.to === user)
      activitiesById.set(happening.id, happening);
  };
  for (const row of activities.in(sandbox.world).all()) {
    take({ ...row, ...saidIn(sandbox.world, row) });
  }
  for (const { type, data } of sandbox.feed.after(0)) {
    if (type === "activity" && isHappening(data)) take(data);
  }
  const all = [...activitiesById.values()].sort(
    (a, b) => a.at - b.at || (BigInt(a.id) < BigInt(b.id) ? -1 : 1),
  );
  return { body: { activities: latest(call, all) } };
}

function isHappening(data: unknown): data is SandboxActivity {
  return typeof data === "object" && data !== null && "kind" in data && "by" in data;
}
