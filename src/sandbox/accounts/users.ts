import * as z from "zod";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type UserRow, users } from "./entities.ts";

const username = z.string().regex(/^[A-Za-z0-9_]{1,15}$/, "write 1 to 15 letters, digits or _");

export const userInput = z.strictObject({
  username,
  name: z.string().min(1).max(50),
  password: z.string().min(1).optional(),
  id: z
    .string()
    .regex(/^[1-9]\d{0,18}$/, "write 1 to 19 digits")
    .optional(),
});

const text = z.string();

/** Any field of the user object, and what only the log-in pages use. */
export const userPatch = z
  .strictObject({
    username,
    name: z.string().min(1).max(50),
    email: text,
    password: text.min(1),
    created_at: z.iso.datetime(),
    description: text,
    location: text,
    url: text,
    profile_image_url: text,
    profile_banner_url: text,
    protected: z.boolean(),
    verified: z.boolean(),
    verified_type: z.enum(["blue", "government", "business", "none"]),
    verified_followers_count: z.int().min(0),
    pinned_post_id: text,
    most_recent_post_id: text,
    subscription_type: z.enum(["Basic", "Premium", "PremiumPlus", "None"]),
    is_identity_verified: z.boolean(),
    parody: z.boolean(),
    receives_your_dm: z.boolean(),
    suspended: z.boolean(),
    public_metrics: z.record(z.string(), z.int().min(0)),
    entities: z.record(z.string(), z.unknown()),
    affiliation: z.record(z.string(), z.unknown()),
    withheld: z.record(z.string(), z.unknown()),
  })
  .partial();

/** @throws {ApiError} 400 when the name or id is taken. */
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
    password: input.password ?? "password",
    email: "",
    createdAt: sandbox.time.now(),
    profile: {},
  });
}

/** @throws {ApiError} 400 when the new name is taken. */
export function changeUser(
  sandbox: Sandbox,
  user: UserRow,
  patch: z.infer<typeof userPatch>,
): UserRow {
  const { username, name, email, password, created_at: createdAt, ...profile } = patch;
  if (username !== undefined && username.toLowerCase() !== user.username.toLowerCase()) {
    checkUsernameFree(sandbox, username);
  }
  return users.in(sandbox.world).put({
    ...user,
    username: username ?? user.username,
    name: name ?? user.name,
    email: email ?? user.email,
    password: password ?? user.password,
    createdAt: createdAt === undefined ? user.createdAt : Date.parse(createdAt),
    profile: { ...user.profile, ...profile },
  });
}

function checkUsernameFree({ world }: Sandbox, username: string): void {
  if (users.in(world).first("username", username.toLowerCase()) === undefined) return;
  throw ApiError.control(400, "username_taken", `There is already a user @${username}.`);
}
