import { relatedUsers } from "../../accounts/lists.ts";
import { wireInt } from "../../activity/wire.ts";
import { decodeCursor, type PageCursor } from "../../data-query/paging.ts";
import type { Route, RouteCall, RouteResponse } from "../../kernel/http/route.ts";
import { LEGACY } from "../ledger.ts";
import { badParameter } from "./coded-errors.ts";
import { readablePerson } from "./find.ts";
import { Parameters } from "./parameters.ts";
import { legacyBody } from "./respond.ts";

const COUNTS = { max: 5_000, fallback: 5_000 };

const reading = {
  method: "GET",
  ledger: LEGACY,
  auth: ["oauth1", "bearer"],
  limits: { app: 15, user: 15 },
} as const;

/** Whom somebody follows, and who follows them, as ids. */
export const idListRoutes: readonly Route[] = [
  { ...reading, path: "/1.1/friends/ids.json", handle: (call) => ids(call, "from") },
  { ...reading, path: "/1.1/followers/ids.json", handle: (call) => ids(call, "to") },
];

function ids(call: RouteCall, side: "from" | "to"): RouteResponse {
  const given = new Parameters(call);
  const { id: userId } = readablePerson(call, given);
  const request = { size: given.count(COUNTS), cursor: cursorOf(given) };
  const { items, next, previous } = relatedUsers(
    call.sandbox.world,
    { kind: "follow", side, userId },
    request,
  );
  const asText = given.flag("stringify_ids");
  const [after, before] = [numberOf(next), numberOf(previous)];
  return legacyBody({
    ids: items.map(({ id }) => (asText ? id : wireInt(id))),
    next_cursor: wireInt(after),
    next_cursor_str: after,
    previous_cursor: wireInt(before),
    previous_cursor_str: before,
    total_count: null,
  });
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
