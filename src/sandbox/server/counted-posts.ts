import { countPosts, refuseAtPostCap } from "../model/post-usage.ts";
import type { Route, RouteCall, RouteResponse } from "./route.ts";

/**
 * Calls the handler of a route. Posts of its response count towards the app's monthly cap.
 *
 * @throws {ApiError} 429 if the route reads posts and the cap is reached.
 */
export async function callHandler(route: Route, call: RouteCall): Promise<RouteResponse> {
  const { sandbox, caller } = call;
  if (route.readsPosts !== true || !("app" in caller)) return route.handle(call);
  refuseAtPostCap(sandbox, caller.app);
  const response = await route.handle(call);
  countPosts(sandbox, caller.app, postsIn(response));
  return response;
}

/** Counts the posts of a response: one object, a list, or nothing. Posts in `includes` do not count. */
function postsIn({ body }: RouteResponse): number {
  const { data }: { data?: unknown } = Object(body);
  if (Array.isArray(data)) return data.length;
  return data === undefined ? 0 : 1;
}
