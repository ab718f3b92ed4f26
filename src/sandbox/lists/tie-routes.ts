import * as z from "zod";
import { isListVisible } from "../model/hidden-reason.ts";
import {
  findVisibleUser,
  findVisibleList,
  requireSelf,
  renderContext,
} from "../data-query/viewer.ts";
import { idInput } from "../kernel/http/id-input.ts";
import { type ListPage, pageOf, type PageRequest, type PagedList } from "../kernel/world/paging.ts";
import { Query } from "../data-query/query.ts";
import { type RenderContext } from "../rendering/render-context.ts";
import { jsonInput } from "../server/input.ts";
import type { Route, RouteCall, RouteResponse } from "../server/route.ts";
import { type ListRow, lists, type ListTieKind, listTies } from "../model/lists.ts";
import { listPageDocument } from "../rendering/lists.ts";
import { readListSelection } from "../data-query/read-selection.ts";
import { DESCRIBED } from "../kernel/ledger.ts";
import { pagedTies, beginListTie, endListTie } from "./rules.ts";

const SIZES = { min: 1, max: 100, default: 100 };

const named = z.strictObject({ list_id: idInput });

const reading = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read", "list.read"],
} as const;

const writing = {
  ledger: DESCRIBED,
  auth: ["oauth1", "oauth2"],
  level: "read-write",
  scopes: ["tweet.read", "users.read", "list.write"],
  limits: { user: 50 },
} as const;

/** Routes that list, begin and end the ties of a user to lists: memberships, follows and pins. */
export const listTieRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/:id/owned_lists",
    ...reading,
    limits: { app: 15, user: 15 },
    handle: (call) => listsOf(call, ownedLists),
  },
  {
    method: "GET",
    path: "/2/users/:id/list_memberships",
    ...reading,
    limits: { app: 75, user: 75 },
    handle: (call) => listsOf(call, tiedLists("member")),
  },
  {
    method: "GET",
    path: "/2/users/:id/followed_lists",
    ...reading,
    limits: { app: 15, user: 15 },
    handle: (call) => listsOf(call, tiedLists("follower")),
  },
  {
    method: "GET",
    path: "/2/users/:id/pinned_lists",
    ...reading,
    auth: ["oauth1", "oauth2"],
    limits: { user: 15 },
    handle: pinnedLists,
  },
  ...tieRoutePair("follower", "followed_lists", "following"),
  ...tieRoutePair("pin", "pinned_lists", "pinned"),
];

/** Creates the two routes that begin and end a tie of the caller to a list. */
function tieRoutePair(kind: ListTieKind, segment: string, word: string): Route[] {
  return [
    {
      method: "POST",
      path: `/2/users/:id/${segment}`,
      ...writing,
      handle: (call) => {
        const user = requireSelf(call);
        const { list_id: listId } = jsonInput(call, named);
        beginListTie(call.sandbox, kind, findVisibleList(call, listId, "list_id"), user.id);
        return { body: { data: { [word]: true } } };
      },
    },
    {
      method: "DELETE",
      path: `/2/users/:id/${segment}/:list_id`,
      ...writing,
      handle: (call) => {
        const user = requireSelf(call);
        endListTie(call.sandbox, kind, call.params["list_id"] ?? "", user.id);
        return { body: { data: { [word]: false } } };
      },
    },
  ];
}

/** Returns a page of the lists that a user is a member of, follows or has pinned, as far as the viewer may see them. */
type PageOfLists = (
  context: RenderContext,
  userId: string,
  request: PageRequest,
) => ListPage<ListRow>;

const ownedLists: PageOfLists = (context, userId, request) => {
  const table = lists.in(context.world);
  const list: PagedList<ListRow> = {
    descending: (below) => table.descending("owner", userId, below),
    ascending: (above) => table.ascending("owner", userId, above),
    orderOf: ({ id }) => id,
    keep: (one) => isListVisible(context, one),
  };
  return pageOf(list, request);
};

function tiedLists(kind: ListTieKind): PageOfLists {
  return (context, userId, request) => {
    const table = lists.in(context.world);
    const page = pageOf(
      pagedTies(context.world, "user", `${kind}:${userId}`, ({ listId }) =>
        isListVisible(context, table.get(listId)),
      ),
      request,
    );
    return { ...page, items: page.items.flatMap(({ listId }) => table.get(listId) ?? []) };
  };
}

function listsOf(call: RouteCall, pageFor: PageOfLists): RouteResponse {
  const query = new Query(call);
  const id = query.pathId("id");
  const request = query.page(SIZES);
  const selection = readListSelection(query);
  query.finish();
  const context = renderContext(call);
  const user = findVisibleUser(call, id, "id");
  return { body: listPageDocument(context, pageFor(context, user.id, request), selection) };
}

/** Lists all pinned lists of the caller, the latest first, without paging. */
function pinnedLists(call: RouteCall): RouteResponse {
  const query = new Query(call);
  query.pathId("id");
  const selection = readListSelection(query);
  query.finish();
  const context = renderContext(call);
  const user = requireSelf(call);
  const size = listTies.in(context.world).count("user", `pin:${user.id}`);
  const page = tiedLists("pin")(context, user.id, { size, cursor: undefined });
  return { body: listPageDocument(context, page, selection) };
}
