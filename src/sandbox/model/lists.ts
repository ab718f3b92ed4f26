import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { defineTable } from "../kernel/world/table.ts";

const listSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  ownerId: z.string(),
  name: z.string(),
  description: z.string(),
  /** Whether only the owner sees the list. */
  private: z.boolean(),
  at: instant,
});

/** A list of people, owned by a user. */
export type ListRow = z.infer<typeof listSchema>;

export const lists = defineTable({
  name: "lists",
  schema: listSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: { owner: (row) => row.ownerId },
});

/** Relations (ties) of a person to a list: member, follower, or has pinned the list. */
export const LIST_TIES = ["member", "follower", "pin"] as const;
export type ListTieKind = (typeof LIST_TIES)[number];

const listTieSchema = z.strictObject({
  kind: z.enum(LIST_TIES),
  /** Id that is higher for each later tie; members, followers and pinned lists are ordered by it. */
  seq: z.string().regex(/^\d{1,19}$/),
  listId: z.string(),
  userId: z.string(),
  at: instant,
});

export type ListTieRow = z.infer<typeof listTieSchema>;

/** Table of the members and followers of lists, and of the users who have pinned lists. */
export const listTies = defineTable({
  name: "list_ties",
  schema: listTieSchema,
  key: (row) => listTieKey(row.kind, row.listId, row.userId),
  order: (row) => row.seq,
  indexes: {
    list: (row) => `${row.kind}:${row.listId}`,
    user: (row) => `${row.kind}:${row.userId}`,
  },
});

export function listTieKey(kind: ListTieKind, listId: string, userId: string): string {
  return `${kind}:${listId}:${userId}`;
}

/** Counts the public lists that a user is a member of. */
export function listedCount(world: SandboxWorld, userId: string): number {
  const value = `member:${userId}`;
  if (listTies.in(world).count("user", value) === 0) return 0;
  return listTies
    .in(world)
    .where("user", value)
    .filter(({ listId }) => lists.in(world).get(listId)?.private === false).length;
}
