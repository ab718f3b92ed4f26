import { type UserRow, users } from "../../../model/accounts.ts";
import { hiddenUserReason, isListVisible } from "../../../model/hidden-reason.ts";
import { pageOf, type ListPage } from "../../../kernel/world/paging.ts";
import { renderContext } from "../../../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import {
  type ListRow,
  lists,
  type ListTieKind,
  listTieKey,
  listTies,
} from "../../../model/lists.ts";
import { pagedTies } from "../../../lists/rules.ts";
import { pagedPosts } from "../../../posts/reading/paged-posts.ts";
import { LEGACY } from "../../ledger.ts";
import { boundsOf, LegacyParameters } from "../parameters.ts";
import { coded } from "../coded-errors.ts";
import { cursorOf, cursorsOf } from "../cursors.ts";
import { readablePerson, requiredPerson } from "../find.ts";
import { namedList } from "./find-list.ts";
import { renderLegacyList } from "./render-list.ts";
import { renderPerson } from "../render-person.ts";
import { renderStatus } from "../render-status.ts";
import { legacyBody } from "../respond.ts";
import { viewOf } from "../status-view.ts";

const COUNTS = { max: 1_000, fallback: 20 };
const PEOPLE_COUNTS = { max: 5_000, fallback: 20 };
const STATUS_COUNTS = { max: 200, fallback: 20 };
const MAX_LISTS = 100;

const reading = {
  method: "GET",
  ledger: LEGACY,
  auth: ["oauth1", "bearer"],
  limits: { app: 75, user: 75 },
} as const;

/** Routes that read lists of people. */
export const listReadRoutes: readonly Route[] = [
  { ...reading, path: "/1.1/lists/show.json", handle: show },
  { ...reading, path: "/1.1/lists/list.json", handle: keptAndFollowed },
  {
    ...reading,
    path: "/1.1/lists/ownerships.json",
    handle: (call) => pageOfLists(call, ownedLists),
  },
  {
    ...reading,
    path: "/1.1/lists/memberships.json",
    handle: (call) => pageOfLists(call, tiedLists("member")),
  },
  {
    ...reading,
    path: "/1.1/lists/subscriptions.json",
    handle: (call) => pageOfLists(call, tiedLists("follower")),
  },
  ...peopleRoutes("members", "member"),
  ...peopleRoutes("subscribers", "follower"),
  {
    ...reading,
    path: "/1.1/lists/statuses.json",
    limits: { app: 900, user: 900 },
    handle: statuses,
  },
];

function show(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  return legacyBody(renderLegacyList(viewOf(call, params), namedList(call, params)));
}

type ListsOf = (call: RouteCall, user: UserRow, params: LegacyParameters) => ListPage<ListRow>;

const ownedLists: ListsOf = (call, { id }, params) => {
  const context = renderContext(call);
  const table = lists.in(context.world);
  const owned = {
    descending: (below?: string) => table.descending("owner", id, below),
    ascending: (above: string) => table.ascending("owner", id, above),
    orderOf: (one: ListRow) => one.id,
    keep: (one: ListRow) => isListVisible(context, one),
  };
  return pageOf(owned, { size: params.count(COUNTS), cursor: cursorOf(params) });
};

function tiedLists(kind: ListTieKind): ListsOf {
  return (call, { id }, params) => {
    const context = renderContext(call);
    const table = lists.in(context.world);
    const ties = pagedTies(context.world, "user", `${kind}:${id}`, ({ listId }) =>
      isListVisible(context, table.get(listId)),
    );
    const page = pageOf(ties, { size: params.count(COUNTS), cursor: cursorOf(params) });
    return { ...page, items: page.items.flatMap(({ listId }) => table.get(listId) ?? []) };
  };
}

function pageOfLists(call: RouteCall, listsOf: ListsOf): RouteResponse {
  const params = new LegacyParameters(call);
  const page = listsOf(call, readablePerson(call, params), params);
  const view = viewOf(call, params);
  return legacyBody({
    lists: page.items.map((list) => renderLegacyList(view, list)),
    ...cursorsOf(page),
  });
}

/** Returns the lists that a person owns, then the lists that the person follows, without paging. */
function keptAndFollowed(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const person = readablePerson(call, params);
  const personLists = [ownedLists, tiedLists("follower")].flatMap(
    (listsOf) => listsOf(call, person, params).items,
  );
  const view = viewOf(call, params);
  return legacyBody(
    [...new Set(personLists)].slice(0, MAX_LISTS).map((list) => renderLegacyList(view, list)),
  );
}

function peopleRoutes(word: string, kind: ListTieKind): Route[] {
  return [
    {
      ...reading,
      path: `/1.1/lists/${word}.json`,
      limits: { app: 75, user: 900 },
      handle: (call) => peopleOf(call, kind),
    },
    { ...reading, path: `/1.1/lists/${word}/show.json`, handle: (call) => oneOf(call, kind) },
  ];
}

function peopleOf(call: RouteCall, kind: ListTieKind): RouteResponse {
  const params = new LegacyParameters(call);
  const view = viewOf(call, params);
  const table = users.in(view.world);
  const { id } = namedList(call, params);
  const ties = pagedTies(view.world, "list", `${kind}:${id}`, ({ userId }) => {
    return hiddenUserReason(table.get(userId)) === undefined;
  });
  const page = pageOf(ties, { size: params.count(PEOPLE_COUNTS), cursor: cursorOf(params) });
  const people = page.items.flatMap(({ userId }) => table.get(userId) ?? []);
  return legacyBody({
    users: people.map((user) => renderPerson(view, user)),
    ...cursorsOf(page),
  });
}

/** Returns a person who is a member or follower of the list. @throws {ApiError} 404, code 109, for other people. */
function oneOf(call: RouteCall, kind: ListTieKind): RouteResponse {
  const params = new LegacyParameters(call);
  const { id } = namedList(call, params);
  const person = requiredPerson(call, params);
  const ties = listTies.in(call.sandbox.world);
  if (ties.get(listTieKey(kind, id, person.id)) === undefined) throw coded("notOnList");
  return legacyBody(renderPerson(viewOf(call, params), person));
}

function statuses(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const { id } = namedList(call, params);
  const members = listTies.in(call.sandbox.world).where("list", `member:${id}`);
  const authors = members.map(({ userId: value }) => ({ index: "author", value }) as const);
  const reposts = params.flag("include_rts", true);
  const list = pagedPosts(renderContext(call), authors, boundsOf(params), ({ repostOf }) => {
    return reposts || repostOf === undefined;
  });
  const { items } = pageOf(list, { size: params.count(STATUS_COUNTS), cursor: undefined });
  const view = viewOf(call, params);
  return legacyBody(items.map((post) => renderStatus(view, post)));
}
