import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type User, users } from "./entities.ts";

/** @throws {Refusal} 404 of the control interface. */
export function findUser({ world }: Sandbox, id: string): User {
  const user = users.in(world).get(id);
  if (user === undefined) throw Refusal.control(404, "unknown_user", `There is no user ${id}.`);
  return user;
}
