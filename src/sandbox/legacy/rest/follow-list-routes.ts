import type { UserRow } from "../../accounts/entities.ts";
import { relatedUsers } from "../../accounts/lists.ts";
import { wireInt } from "../../activity/wire.ts";
import { decodeCursor, type ListPage, type PageCursor } from "../../data-query/paging.ts";
import type { Route, RouteCall, RouteResponse } from "../../kernel/http/route.ts";
import { LEGACY } from "../ledger.ts";
import { badParameter } from "./coded-errors.ts";
import { readablePerson } from "./find.ts";
import { Parameters } from "./parameters.ts";
import { personInStatus } from "./person-in-status.ts";
import { renderPerson } from "./render-person.ts";
import { legacyBody } from "./respond.ts";
import { viewOf } from "./status-view.ts";

const ID_COUNTS = { max: 5_000, fallback: 5_000 };
const PEOPLE_COUNTS = { max: 200, fallback: 20 };

const reading = {
  method: "GET",
  ledger: LEGACY,
  auth: ["oauth1", "bearer"],
  limits: { app: 15, user: 15 },
} as const;

/** Whom somebody follows, and who follows them: as ids, and as people. */
export const followListRoutes: readonly Route[] = [
  { ...reading, path: "/1.1/friends/ids.json", handle: (call) => ids(call, "from") },
  { ...reading, path: "/1.1/followers/ids.json", handle: (call) => ids(call, "to") },
  { ...reading, path: "/1.1/friends/list.json", handle: (call) => people(call, "from") },
  { ...reading, path: "/1.1/followers/list.json", handle: (call) => people(call, "to") },
];

function ids(call: RouteCall, side: "from" | "to"): RouteResponse {
  const given = new Parameters(call);
  const page = followPage(call, given, side, ID_COUNTS);
  const asText = given.flag("stringify_ids");
  return legacyBody({
    ids: page.items.map(({ id }) => (asText ? id : wireInt(id))),
    ...cursorsOf(page),
  });
}

function people(call: RouteCall, side: "from" | "to"): RouteResponse {
  const given = new Parameters(call);
  const page = followPage(call, given, side, PEOPLE_COUNTS);
  const view = viewOf(call, given);
  const render = given.flag("skip_status") ? personInStatus : renderPerson;
  return legacyBody({ users: page.items.map((user) => render(view, user)), ...cursorsOf(page) });
}

function followPage(
  call: RouteCall,
  given: Parameters,
  side: "from" | "to",
  counts: { max: number; fallback: number },
): ListPage<UserRow> {
  const { id: userId } = readablePerson(call, given);
  const request = { size: given.count(counts), cursor: cursorOf(given) };
  return relatedUsers(call.sandbox.world, { kind: "follow", side, userId }, request);
}

/** How to go on, as numbers and as text. */
function cursorsOf({ next, previous }: ListPage<UserRow>): object {
  const [after, before] = [numberOf(next), numberOf(previous)];
  return {
    next_cursor: wireInt(after),
    next_cursor_str: after,
    previous_cursor: wireInt(before),
    previous_cursor_str: before,
    total_count: null,
  };
}

/** `-1` is the first page; a number that goes on is positive, one that goes back negative. */
function cursorOf(given: Parameters): PageCursor | undefined {
  const value = given.text("cursor") ?? "-1";
  if (value === "-1") return undefined;
  const [, sign, id] = /^(-?)(\d{1,19})$/.exec(value) ?? [];
  if (id === undefined) throw badParameter("cursor");
  return { direction: sign === "-" ? "newer" : "older", id };
}

/** The number of a page's token; `0` where there is no such page. */
function numberOf(token: string | undefined): string {
  const cursor = token === undefined ? undefined : decodeCursor(token);
  if (cursor === undefined) return "0";
  return cursor.direction === "newer" ? `-${cursor.id}` : cursor.id;
}
