import { Query } from "../fields/query.ts";
import { readerOf } from "../fields/reader.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { readUserSelection, userPageDocument } from "./document.ts";
import type { TieKind } from "./entities.ts";
import { tiedUsers } from "./lists.ts";
import { openUser } from "./seen.ts";
import { selfOf } from "./self.ts";

const SIZES = { min: 1, max: 1000 };
const SIZE = 100;

const open = {
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read", "follows.read"],
  limits: { app: 300, user: 300 },
} as const;

const own = { auth: ["oauth1", "oauth2"], limits: { user: 15 } } as const;

export const listRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/:id/followers",
    ...open,
    handle: (call) => list(call, "follow", "to", openUser),
  },
  {
    method: "GET",
    path: "/2/users/:id/following",
    ...open,
    handle: (call) => list(call, "follow", "from", openUser),
  },
  {
    method: "GET",
    path: "/2/users/:id/blocking",
    ...own,
    scopes: ["tweet.read", "users.read", "block.read"],
    handle: (call) => list(call, "block", "from", () => selfOf(call)),
  },
  {
    method: "GET",
    path: "/2/users/:id/muting",
    ...own,
    scopes: ["tweet.read", "users.read", "mute.read"],
    handle: (call) => list(call, "mute", "from", () => selfOf(call)),
  },
];

function list(
  call: Call,
  kind: TieKind,
  side: "from" | "to",
  allow: (call: Call, id: string) => unknown,
): Answer {
  const query = new Query(call);
  const userId = query.pathId("id");
  const size = query.integer("max_results", SIZES) ?? SIZE;
  const place = query.token("pagination_token");
  const selection = readUserSelection(query);
  query.done();
  allow(call, userId);
  const reader = readerOf(call);
  const page = tiedUsers(reader.world, { kind, side, userId }, size, place);
  return { body: userPageDocument(reader, page, selection) };
}
