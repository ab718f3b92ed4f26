import { userOf } from "../auth/caller.ts";
import { Includes } from "../rendering/includes.ts";
import { hiddenObjectError } from "../rendering/partial-errors.ts";
import { Query } from "../data-query/query.ts";
import { renderContext, findVisibleUser } from "../data-query/viewer.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { readUserSelection } from "../data-query/read-selection.ts";
import { renderUsers, userDocument } from "../rendering/user-documents.ts";
import { type UserRow, users } from "../model/accounts.ts";
import { hiddenUserReason } from "../model/hidden-reason.ts";
import { DESCRIBED } from "../kernel/ledger.ts";

const USERNAME = /^[A-Za-z0-9_]{1,15}$/;
const MAX_USERS = 100;

const anybody = {
  ledger: DESCRIBED,
  auth: ["bearer", "oauth1", "oauth2"],
  scopes: ["tweet.read", "users.read"],
  limits: { app: 300, user: 900 },
} as const;

export const userLookupRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/users/me",
    ledger: DESCRIBED,
    auth: ["oauth1", "oauth2"],
    scopes: ["tweet.read", "users.read"],
    limits: { user: 75 },
    handle: (call) => {
      const query = new Query(call);
      const selection = readUserSelection(query);
      query.finish();
      return { body: userDocument(renderContext(call), userOf(call.caller), selection) };
    },
  },
  {
    method: "GET",
    path: "/2/users",
    ...anybody,
    handle: (call) => {
      const query = new Query(call);
      const ids = query.ids("ids", MAX_USERS);
      return lookUpSeveral(call, query, "ids", ids, (id) => users.in(call.sandbox.world).get(id));
    },
  },
  {
    method: "GET",
    path: "/2/users/by",
    ...anybody,
    handle: (call) => {
      const query = new Query(call);
      query.require("usernames");
      const names = query.list("usernames", { max: MAX_USERS, pattern: USERNAME }) ?? [];
      return lookUpSeveral(call, query, "usernames", names, (name) => userByName(call, name));
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
        query.addFaultMessage("username", name, message);
      }
      query.finish();
      const user = userByName(call, name);
      const reason = hiddenUserReason(user);
      if (reason === undefined && user !== undefined) {
        return { body: userDocument(renderContext(call), user, selection) };
      }
      const reference = { resource: "user", parameter: "username", value: name } as const;
      throw hiddenObjectError(renderContext(call), reason ?? "missing", reference);
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
      query.finish();
      return {
        body: userDocument(renderContext(call), findVisibleUser(call, id, "id"), selection),
      };
    },
  },
];

function userByName({ sandbox }: RouteCall, name: string): UserRow | undefined {
  return users.in(sandbox.world).first("username", name.toLowerCase());
}

/** Returns the visible users as `data`, and errors for all other requested users, both in the order of the request. */
function lookUpSeveral(
  call: RouteCall,
  query: Query,
  parameter: "ids" | "usernames",
  wanted: readonly string[],
  find: (value: string) => UserRow | undefined,
): RouteResponse {
  const selection = readUserSelection(query);
  query.finish();
  const context = renderContext(call);
  const includes = new Includes(context, selection);
  const visibleUsers = wanted.flatMap((value) => {
    const user = find(value);
    const reason = hiddenUserReason(user);
    if (reason !== undefined) includes.addHidden(reason, "user", parameter, value);
    return reason === undefined && user !== undefined ? [user] : [];
  });
  const data = renderUsers(context, visibleUsers, selection, includes);
  return { body: { ...(data.length === 0 ? {} : { data }), ...includes.body() } };
}
