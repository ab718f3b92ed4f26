import * as z from "zod";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  DEFAULT_PASSWORD,
  type UserRow,
  users,
  displayName,
  profileFields,
  username,
} from "../model/accounts.ts";
import { emitProfileChanges } from "./profile-changes.ts";

export const userInput = z.strictObject({
  username,
  name: displayName,
  password: z.string().min(1).optional(),
  id: z
    .string()
    .regex(/^[1-9]\d{0,18}$/, "write 1 to 19 digits")
    .optional(),
});

/** Change of any field of the user object, and of the fields that only the log-in pages use. */
export const userPatch = z
  .strictObject({
    username,
    name: displayName,
    email: z.string(),
    password: z.string().min(1),
    created_at: z.iso.datetime(),
    ...profileFields,
  })
  .partial();

/** Creates a user. @throws {ApiError} 400 when the name or id is taken. */
export function createUser(sandbox: Sandbox, input: z.infer<typeof userInput>): UserRow {
  const { world } = sandbox;
  checkUsernameFree(sandbox, input.username);
  if (input.id !== undefined && users.in(world).get(input.id) !== undefined) {
    throw ApiError.control(400, "id_taken", `There is already a user ${input.id}.`);
  }
  return users.in(world).put({
    id: input.id ?? world.ids.next(),
    username: input.username,
    name: input.name,
    password: input.password ?? DEFAULT_PASSWORD,
    email: "",
    createdAt: sandbox.time.now(),
    profile: {},
  });
}

/** Changes a user. @throws {ApiError} 400 when the new name is taken. */
export function changeUser(
  sandbox: Sandbox,
  user: UserRow,
  patch: z.infer<typeof userPatch>,
): UserRow {
  const { username, name, email, password, created_at: createdAt, ...profile } = patch;
  if (username !== undefined && username.toLowerCase() !== user.username.toLowerCase()) {
    checkUsernameFree(sandbox, username);
  }
  const changed = users.in(sandbox.world).put({
    ...user,
    username: username ?? user.username,
    name: name ?? user.name,
    email: email ?? user.email,
    password: password ?? user.password,
    createdAt: createdAt === undefined ? user.createdAt : Date.parse(createdAt),
    profile: { ...user.profile, ...profile },
  });
  emitProfileChanges(sandbox, user, changed);
  return changed;
}

/** Changes the settings of an account that only version 1.1 shows. */
export function changeSettings(
  { world }: Sandbox,
  user: UserRow,
  patch: NonNullable<UserRow["settings"]>,
): UserRow {
  if (Object.keys(patch).length === 0) return user;
  return users.in(world).put({ ...user, settings: { ...user.settings, ...patch } });
}

function checkUsernameFree({ world }: Sandbox, username: string): void {
  if (users.in(world).first("username", username.toLowerCase()) === undefined) return;
  throw ApiError.control(400, "username_taken", `There is already a user @${username}.`);
}
