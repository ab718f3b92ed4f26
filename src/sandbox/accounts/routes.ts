import { controlInput } from "../control/input.ts";
import type { Route } from "../kernel/route.ts";
import { users } from "./entities.ts";
import { findUser } from "./find.ts";
import { changeUser, createUser, userInput, userPatch } from "./people.ts";
import { renderUser } from "./render.ts";

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/users",
    auth: ["control"],
    handle: (call) => {
      const user = createUser(call.sandbox, controlInput(call, userInput));
      return { body: { user: renderUser(call.sandbox, user) } };
    },
  },
  {
    method: "GET",
    path: "/_sandbox/users",
    auth: ["control"],
    handle: ({ sandbox, query }) => {
      const wanted = query.get("username")?.replace(/^@/, "").toLowerCase();
      const table = users.in(sandbox.world);
      const found = wanted === undefined ? [...table.all()] : table.where("username", wanted);
      return { body: { users: found.map((user) => renderUser(sandbox, user)) } };
    },
  },
  {
    method: "PATCH",
    path: "/_sandbox/users/:id",
    auth: ["control"],
    handle: (call) => {
      const user = findUser(call.sandbox, call.params["id"] ?? "");
      const changed = changeUser(call.sandbox, user, controlInput(call, userPatch));
      return { body: { user: renderUser(call.sandbox, changed) } };
    },
  },
];
