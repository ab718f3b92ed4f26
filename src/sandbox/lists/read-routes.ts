import {
  readUserSelection,
  readPostSelection,
  readListSelection,
} from "../data-query/read-selection.ts";
import { userPageDocument } from "../rendering/user-documents.ts";
import { users } from "../model/accounts.ts";
import { hiddenUserReason } from "../model/hidden-reason.ts";
import { pageOf } from "../kernel/world/paging.ts";
import { Query } from "../data-query/query.ts";
import { renderContext, findVisibleList } from "../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { pagedPosts } from "../posts/reading/paged-posts.ts";
import { postListDocument } from "../rendering/post-documents.ts";
import { type ListTieKind, type ListTieRow, listTies } from "../model/lists.ts";
import { listDocument } from "../rendering/lists.ts";
import { DESCRIBED } from "../kernel/ledger.ts";
import { pagedTies } from "./rules.ts";

const SIZES = { min: 1, max: 100, default: 100 };

const reading = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read", "list.read"],
} as const;

export const listReadRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/lists/:id",
    ...reading,
    limits: { app: 75, user: 75 },
    handle: (call) => {
      const query = new Query(call);
      const id = query.pathId("id");
      const selection = readListSelection(query);
      query.finish();
      const list = findVisibleList(call, id, "id");
      return { body: listDocument(renderContext(call), list, selection) };
    },
  },
  {
    method: "GET",
    path: "/2/lists/:id/members",
    ...reading,
    limits: { app: 900, user: 900 },
    handle: (call) => peopleOf(call, "member"),
  },
  {
    method: "GET",
    path: "/2/lists/:id/followers",
    ...reading,
    limits: { app: 180, user: 180 },
    handle: (call) => peopleOf(call, "follower"),
  },
  {
    method: "GET",
    path: "/2/lists/:id/posts",
    ...reading,
    limits: { app: 900, user: 900 },
    readsPosts: true,
    handle: postsOf,
  },
];

/** Lists the members or followers of a list, the latest first. */
function peopleOf(call: RouteCall, kind: ListTieKind): RouteResponse {
  const query = new Query(call);
  const id = query.pathId("id");
  const request = query.page(SIZES);
  const selection = readUserSelection(query);
  query.finish();
  const context = renderContext(call);
  const { world } = context;
  findVisibleList(call, id, "id");
  const keep = ({ userId }: ListTieRow): boolean =>
    hiddenUserReason(users.in(world).get(userId)) === undefined;
  const page = pageOf(pagedTies(world, "list", `${kind}:${id}`, keep), request);
  const items = page.items.flatMap(({ userId }) => users.in(world).get(userId) ?? []);
  return { body: userPageDocument(context, { ...page, items }, selection) };
}

/** Lists the posts and reposts of a list's members. */
function postsOf(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const id = query.pathId("id");
  const request = query.page(SIZES);
  const selection = readPostSelection(query);
  query.finish();
  const context = renderContext(call);
  findVisibleList(call, id, "id");
  const members = listTies.in(context.world).where("list", `member:${id}`);
  const authors = members.map(({ userId: value }) => ({ index: "author", value }) as const);
  const page = pageOf(pagedPosts(context, authors), request);
  return { body: postListDocument(context, page, selection) };
}
