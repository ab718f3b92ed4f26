import { Query } from "../data-query/query.ts";
import { renderContext, findReadableUser, requireSelf } from "../data-query/viewer.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { readUserSelection } from "../data-query/read-selection.ts";
import { userPageDocument } from "../rendering/user-documents.ts";
import type { RelationshipKind } from "../model/accounts.ts";
import { DESCRIBED } from "../kernel/ledger.ts";
import { relatedUsers } from "./lists.ts";

const SIZES = { min: 1, max: 1000, default: 100 };

const PUBLIC_LIST = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read", "follows.read"],
  limits: { app: 300, user: 300 },
} as const;

const OWN_LIST = { ledger: DESCRIBED, auth: ["oauth1", "oauth2"], limits: { user: 15 } } as const;

export const listRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/:id/followers",
    ...PUBLIC_LIST,
    handle: (call) => list(call, "follow", "to", findReadableUser),
  },
  {
    method: "GET",
    path: "/2/users/:id/following",
    ...PUBLIC_LIST,
    handle: (call) => list(call, "follow", "from", findReadableUser),
  },
  {
    method: "GET",
    path: "/2/users/:id/blocking",
    ...OWN_LIST,
    scopes: ["tweet.read", "users.read", "block.read"],
    handle: (call) => list(call, "block", "from", () => requireSelf(call)),
  },
  {
    method: "GET",
    path: "/2/users/:id/muting",
    ...OWN_LIST,
    scopes: ["tweet.read", "users.read", "mute.read"],
    handle: (call) => list(call, "mute", "from", () => requireSelf(call)),
  },
];

function list(
  call: RouteCall,
  kind: RelationshipKind,
  side: "from" | "to",
  allow: (call: RouteCall, id: string) => unknown,
): RouteResponse {
  const query = new Query(call);
  const userId = query.pathId("id");
  const request = query.page(SIZES);
  const selection = readUserSelection(query);
  query.finish();
  allow(call, userId);
  const context = renderContext(call);
  const page = relatedUsers(context.world, { kind, side, userId }, request);
  return { body: userPageDocument(context, page, selection) };
}
