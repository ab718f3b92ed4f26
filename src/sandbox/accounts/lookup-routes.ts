import { userOf } from "../auth/caller.ts";
import { Includes } from "../fields/includes.ts";
import { refuseUnseen } from "../fields/problems.ts";
import { Query } from "../fields/query.ts";
import { readerOf } from "../fields/reader.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { readUserSelection, showUsers, userDocument } from "./document.ts";
import { type User, users } from "./entities.ts";
import { seenUser } from "./seen.ts";
import { unseenUser } from "./visible.ts";

const USERNAME = /^[A-Za-z0-9_]{1,15}$/;
const MOST = 100;

const anybody = {
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read"],
  limits: { app: 300, user: 900 },
} as const;

export const lookupRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/me",
    auth: ["oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { user: 75 },
    handle: (call) => {
      const query = new Query(call);
      const selection = readUserSelection(query);
      query.done();
      return { body: userDocument(readerOf(call), userOf(call.caller), selection) };
    },
  },
  {
    method: "GET",
    path: "/2/users",
    ...anybody,
    handle: (call) => {
      const query = new Query(call);
      const ids = query.ids("ids", MOST);
      return several(call, query, "ids", ids, (id) => users.in(call.sandbox.world).get(id));
    },
  },
  {
    method: "GET",
    path: "/2/users/by",
    ...anybody,
    handle: (call) => {
      const query = new Query(call);
      query.need("usernames");
      const names = query.list("usernames", { most: MOST, pattern: USERNAME }) ?? [];
      return several(call, query, "usernames", names, (name) => named(call, name));
    },
  },
  {
    method: "GET",
    path: "/2/users/by/username/:username",
    ...anybody,
    handle: (call) => {
      const name = call.params["username"] ?? "";
      const query = new Query(call);
      const selection = readUserSelection(query);
      if (!USERNAME.test(name)) {
        const message = `The \`username\` query parameter value [${name}] does not match ${USERNAME.source}`;
        query.fault("username", name, message);
      }
      query.done();
      const user = named(call, name);
      const why = unseenUser(user);
      if (why === undefined && user !== undefined) {
        return { body: userDocument(readerOf(call), user, selection) };
      }
      const reference = { resource: "user", parameter: "username", value: name } as const;
      throw refuseUnseen(readerOf(call), why ?? "missing", reference);
    },
  },
  {
    method: "GET",
    path: "/2/users/:id",
    ...anybody,
    handle: (call) => {
      const query = new Query(call);
      const id = query.pathId("id");
      const selection = readUserSelection(query);
      query.done();
      return { body: userDocument(readerOf(call), seenUser(call, id, "id"), selection) };
    },
  },
];

function named({ sandbox }: Call, name: string): User | undefined {
  return users.in(sandbox.world).first("username", name.toLowerCase());
}

/** Those found as `data`, those not as `errors`, both in the order asked for. */
function several(
  call: Call,
  query: Query,
  parameter: "ids" | "usernames",
  wanted: readonly string[],
  find: (value: string) => User | undefined,
): Answer {
  const selection = readUserSelection(query);
  query.done();
  const reader = readerOf(call);
  const includes = new Includes(reader, selection);
  const found = wanted.flatMap((value) => {
    const user = find(value);
    const why = unseenUser(user);
    if (why !== undefined) includes.problem(why, "user", parameter, value);
    return why === undefined && user !== undefined ? [user] : [];
  });
  const data = showUsers(reader, found, selection, includes);
  return { body: { ...(data.length === 0 ? {} : { data }), ...includes.body() } };
}
