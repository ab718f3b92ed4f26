import * as z from "zod";
import { controlInput, ownRoute } from "../server/control-input.ts";
import type { Route } from "../server/route.ts";
import { users, findUser } from "../model/accounts.ts";
import { renderFullUser } from "../rendering/users.ts";
import { changeUser, createUser, userInput, userPatch } from "./users.ts";
import { answerFollowRequest } from "./relationships.ts";

/** Access and ledger entry of control endpoints through which tests act as people who use the platform's own app. */
const PEOPLE = ownRoute("stands for people at their own clients.");

export const controlRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/users",
    ...PEOPLE,
    handle: (call) => {
      const user = createUser(call.sandbox, controlInput(call, userInput));
      return { body: { user: renderFullUser(call.sandbox, user) } };
    },
  },
  {
    method: "GET",
    path: "/_sandbox/users",
    ...PEOPLE,
    handle: ({ sandbox, query }) => {
      const wanted = query.get("username")?.replace(/^@/, "").toLowerCase();
      const table = users.in(sandbox.world);
      const listedUsers = wanted === undefined ? [...table.all()] : table.where("username", wanted);
      return { body: { users: listedUsers.map((user) => renderFullUser(sandbox, user)) } };
    },
  },
  {
    method: "PATCH",
    path: "/_sandbox/users/:id",
    ...PEOPLE,
    handle: (call) => {
      const user = findUser(call.sandbox, call.params["id"] ?? "");
      const changed = changeUser(call.sandbox, user, controlInput(call, userPatch));
      return { body: { user: renderFullUser(call.sandbox, changed) } };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/users/:id/follow_requests/:from",
    ...PEOPLE,
    handle: (call) => {
      const { accept } = controlInput(call, z.strictObject({ accept: z.boolean() }));
      const to = findUser(call.sandbox, call.params["id"] ?? "");
      answerFollowRequest(
        call.sandbox,
        to,
        findUser(call.sandbox, call.params["from"] ?? ""),
        accept,
      );
      return { body: { accepted: accept } };
    },
  },
];
