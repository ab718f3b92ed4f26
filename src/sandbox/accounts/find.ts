import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type UserRow, users } from "./entities.ts";

/** @throws {ApiError} 404 of the control interface. */
export function findUser({ world }: Sandbox, id: string): UserRow {
  const user = users.in(world).get(id);
  if (user === undefined) throw ApiError.control(404, "unknown_user", `There is no user ${id}.`);
  return user;
}
