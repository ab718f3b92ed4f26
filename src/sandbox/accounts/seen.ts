import { refuseUnseen } from "../fields/problems.ts";
import { readerOf } from "../fields/reader.ts";
import type { Call } from "../kernel/route.ts";
import { type User, users } from "./entities.ts";
import { unseenAuthor, unseenUser } from "./visible.ts";

/** A user that a path or body names. @throws {Refusal} 404, or 403 for a suspended one. */
export function seenUser(call: Call, id: string, parameter: string): User {
  const reader = readerOf(call);
  const user = users.in(reader.world).get(id);
  const why = unseenUser(user);
  if (why === undefined && user !== undefined) return user;
  throw refuseUnseen(reader, why ?? "missing", { resource: "user", parameter, value: id });
}

/** A user whose posts and ties the caller may look at. @throws {Refusal} 404 or 403. */
export function openUser(call: Call, id: string): User {
  const user = seenUser(call, id, "id");
  const reader = readerOf(call);
  const why = unseenAuthor(reader.world, reader.viewer, id);
  if (why === undefined) return user;
  throw refuseUnseen(reader, why, { resource: "user", parameter: "id", value: id });
}
