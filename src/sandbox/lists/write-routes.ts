import * as z from "zod";
import { findVisibleUser, findOwnList } from "../data-query/viewer.ts";
import { userOf } from "../auth/caller.ts";
import { idInput } from "../kernel/http/id-input.ts";
import { jsonInput } from "../server/input.ts";
import type { Route } from "../server/route.ts";
import { DESCRIBED } from "../kernel/ledger.ts";
import { addMembers, changeList, createList, deleteList, endListTie } from "./rules.ts";

const details = z.strictObject({
  name: z.string().min(1).max(25),
  description: z.string().max(100).optional(),
  private: z.boolean().optional(),
});

const member = z.strictObject({ user_id: idInput });

const writing = {
  ledger: DESCRIBED,
  auth: ["oauth1", "oauth2"],
  level: "read-write",
  scopes: ["tweet.read", "users.read", "list.write"],
  limits: { user: 300 },
} as const;

export const listWriteRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/lists",
    ...writing,
    scopes: ["tweet.read", "users.read", "list.read", "list.write"],
    handle: (call) => {
      const input = jsonInput(call, details);
      const { id, name } = createList(call.sandbox, userOf(call.caller), input);
      return { status: 201, body: { data: { id, name } } };
    },
  },
  {
    method: "PUT",
    path: "/2/lists/:id",
    ...writing,
    handle: (call) => {
      const input = jsonInput(call, details.partial());
      changeList(call.sandbox, findOwnList(call, call.params["id"] ?? ""), input);
      return { body: { data: { updated: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/lists/:id",
    ...writing,
    handle: (call) => {
      deleteList(call.sandbox, findOwnList(call, call.params["id"] ?? ""));
      return { body: { data: { deleted: true } } };
    },
  },
  {
    method: "POST",
    path: "/2/lists/:id/members",
    ...writing,
    handle: (call) => {
      const { user_id: userId } = jsonInput(call, member);
      const list = findOwnList(call, call.params["id"] ?? "");
      addMembers(call.sandbox, list, [findVisibleUser(call, userId, "user_id")]);
      return { body: { data: { is_member: true } } };
    },
  },
  {
    method: "DELETE",
    path: "/2/lists/:id/members/:user_id",
    ...writing,
    handle: (call) => {
      const list = findOwnList(call, call.params["id"] ?? "");
      endListTie(call.sandbox, "member", list.id, call.params["user_id"] ?? "");
      return { body: { data: { is_member: false } } };
    },
  },
];
