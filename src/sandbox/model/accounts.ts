import * as z from "zod";
import { NAME_LENGTH } from "../../protocol/limits.ts";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";

/** A user's handle, without the `@`. */
export const username = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,15}$/, "write 1 to 15 letters, digits or _");

/** A user's display name. */
export const displayName = z.string().min(1).max(NAME_LENGTH);

const text = z.string();

/** Optional fields of a user object that can be set, under the names that the interface uses. */
export const profileFields = {
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
};

const profileSchema = z.strictObject(profileFields).partial();

/** A stored profile, restricted to the fields that can be set. */
export const profile = z.record(z.string(), z.unknown()).check((context) => {
  const result = profileSchema.safeParse(context.value);
  for (const { path, message } of result.error?.issues ?? []) {
    context.issues.push({ code: "custom", message, path: [...path], input: context.value });
  }
});

/** Profile picture of users who have set none. */
export const DEFAULT_IMAGE = "https://images.example/default_profile.png";

/** Password of people who were created without a password. */
export const DEFAULT_PASSWORD = "password";

/** Settings of an account that only version 1.1 shows. An absent setting has the value of a new account. */
const settingsSchema = z
  .strictObject({
    language: z.string(),
    timeZone: z.string(),
    sleeps: z.boolean(),
    /** Hour at which the quiet hours begin; `sleepTo` is the hour at which they end. */
    sleepFrom: z.int().min(0).max(23),
    sleepTo: z.int().min(0).max(23),
    /** Colour of links, in hexadecimal digits. */
    linkColor: z.string(),
  })
  .partial();

const userSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  username,
  name: displayName,
  password: z.string().min(1),
  email: z.string(),
  createdAt: instant,
  /** Optional fields of the user object that have been set, under the names that the interface uses. */
  profile,
  settings: settingsSchema.optional(),
});

export type UserRow = z.infer<typeof userSchema>;

export const users = defineTable({
  name: "users",
  schema: userSchema,
  key: (row) => row.id,
  indexes: { username: (row) => row.username.toLowerCase() },
  unique: "username",
});

/** Relations of one user to another. The start and the end of each relation are reported as activities. */
export const USER_RELATIONS = ["follow", "block", "mute"] as const;
export type UserRelation = (typeof USER_RELATIONS)[number];

/** Relationships between two users: relations, requests to follow, and blocked messages. */
export const RELATIONSHIP_KINDS = [...USER_RELATIONS, "request", "dm_block"] as const;
export type RelationshipKind = (typeof RELATIONSHIP_KINDS)[number];

const relationshipSchema = z.strictObject({
  kind: z.enum(RELATIONSHIP_KINDS),
  /** Id that is higher for each new relationship; it orders lists of followers and other relationships. */
  seq: z.string().regex(/^\d{1,19}$/),
  from: z.string(),
  to: z.string(),
  at: instant,
});

export type RelationshipRow = z.infer<typeof relationshipSchema>;

/** Table of the relationships between users: one row per kind and direction. */
export const relationships = defineTable({
  name: "ties",
  schema: relationshipSchema,
  key: (row) => relationshipKey(row.kind, row.from, row.to),
  order: (row) => row.seq,
  indexes: {
    from: (row) => `${row.kind}:${row.from}`,
    to: (row) => `${row.kind}:${row.to}`,
  },
});

export function relationshipKey(kind: RelationshipKind, from: string, to: string): string {
  return `${kind}:${from}:${to}`;
}

/** Returns whether there is a relationship of a kind from one user to another. */
export function isRelated(
  world: SandboxWorld,
  kind: RelationshipKind,
  from: string,
  to: string,
): boolean {
  return relationships.in(world).get(relationshipKey(kind, from, to)) !== undefined;
}

/** Returns whether a user accepts messages of a sender: not closed, not suspended, and no block in either direction. */
export function acceptsMessagesFrom(
  world: SandboxWorld,
  senderId: string,
  recipient: UserRow,
): boolean {
  return (
    recipient.profile["receives_your_dm"] !== false &&
    recipient.profile["suspended"] !== true &&
    !isRelated(world, "block", recipient.id, senderId) &&
    !isRelated(world, "dm_block", recipient.id, senderId) &&
    !isRelated(world, "block", senderId, recipient.id)
  );
}

/** Finds a user by id. @throws {ApiError} 404 of the control interface. */
export function findUser({ world }: Sandbox, id: string): UserRow {
  const user = users.in(world).get(id);
  if (user === undefined) throw ApiError.control(404, "unknown_user", `There is no user ${id}.`);
  return user;
}
