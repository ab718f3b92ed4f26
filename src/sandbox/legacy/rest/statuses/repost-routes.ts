import { wireInt } from "../../../rendering/events/wire.ts";
import { userOf } from "../../../auth/caller.ts";
import { pageOf } from "../../../kernel/world/paging.ts";
import { renderContext } from "../../../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { pagedPosts, repostedPosts } from "../../../posts/reading/paged-posts.ts";
import { LEGACY } from "../../ledger.ts";
import { boundsOf, LegacyParameters, routesById } from "../parameters.ts";
import { cursorOf, cursorsOf } from "../cursors.ts";
import { findOriginal } from "../find.ts";
import { renderStatus } from "../render-status.ts";
import { legacyBody } from "../respond.ts";
import { viewOf } from "../status-view.ts";

const COUNTS = { max: 100, fallback: 20 };
const ALL = { max: 100, fallback: 100 };

const reading = { method: "GET", ledger: LEGACY, auth: ["oauth1", "bearer"] } as const;

/** Routes that list reposts and the people who reposted. */
export const repostRoutes: readonly Route[] = [
  ...routesById(
    "/1.1/statuses/retweets",
    { ...reading, limits: { app: 300, user: 75 } },
    (call, id) => {
      const params = new LegacyParameters(call);
      const { items } = pageOf(repostsOf(call, id), { size: params.count(ALL), cursor: undefined });
      const view = viewOf(call, params);
      return legacyBody(items.map((post) => renderStatus(view, post)));
    },
  ),
  {
    ...reading,
    path: "/1.1/statuses/retweeters/ids.json",
    limits: { app: 300, user: 75 },
    handle: retweeters,
  },
  {
    ...reading,
    path: "/1.1/statuses/retweets_of_me.json",
    auth: ["oauth1"],
    limits: { user: 75 },
    handle: (call) => {
      const params = new LegacyParameters(call);
      const list = repostedPosts(renderContext(call), userOf(call.caller).id, boundsOf(params));
      const { items } = pageOf(list, { size: params.count(COUNTS), cursor: undefined });
      const view = viewOf(call, params);
      return legacyBody(items.map((post) => renderStatus(view, post)));
    },
  },
];

function repostsOf(call: RouteCall, id: string): ReturnType<typeof pagedPosts> {
  const value = findOriginal(call, id).id;
  return pagedPosts(renderContext(call), [{ index: "repostOf", value }]);
}

function retweeters(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const list = repostsOf(call, params.requiredId("id"));
  const page = pageOf(list, { size: params.count(ALL), cursor: cursorOf(params) });
  const asText = params.flag("stringify_ids");
  return legacyBody({
    ids: page.items.map(({ authorId }) => (asText ? authorId : wireInt(authorId))),
    ...cursorsOf(page),
  });
}
