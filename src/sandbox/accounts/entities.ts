import * as z from "zod";
import { defineTable } from "../kernel/table.ts";
import type { World } from "../kernel/world.ts";

const userSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  username: z.string(),
  name: z.string(),
  password: z.string(),
  email: z.string(),
  createdAt: z.number(),
  /** Further fields of the user object, under their wire names, as `PATCH` set them. */
  profile: z.record(z.string(), z.unknown()),
});

export type User = z.infer<typeof userSchema>;

export const users = defineTable({
  name: "users",
  schema: userSchema,
  key: (row) => row.id,
  indexes: { username: (row) => row.username.toLowerCase() },
});

/** One user's lasting relation to another. */
export const RELATIONS = ["follow", "block", "mute"] as const;
export type Relation = (typeof RELATIONS)[number];

/** What may stand between two users: relations, requests to follow, and closed message boxes. */
export const TIE_KINDS = [...RELATIONS, "request", "dm_block"] as const;
export type TieKind = (typeof TIE_KINDS)[number];

const tieSchema = z.strictObject({
  kind: z.enum(TIE_KINDS),
  /** Rises with every tie; lists are ordered by it. */
  seq: z.string().regex(/^\d{1,19}$/),
  from: z.string(),
  to: z.string(),
  at: z.number(),
});

export type Tie = z.infer<typeof tieSchema>;

/** Who follows, blocks and mutes whom, asked to follow, or closed their messages to whom. */
export const ties = defineTable({
  name: "ties",
  schema: tieSchema,
  key: (row) => tieKey(row.kind, row.from, row.to),
  order: (row) => row.seq,
  indexes: {
    from: (row) => `${row.kind}:${row.from}`,
    to: (row) => `${row.kind}:${row.to}`,
  },
});

export function tieKey(kind: TieKind, from: string, to: string): string {
  return `${kind}:${from}:${to}`;
}

/** Whether `from` stands in a relation to `to`. */
export function tied(world: World, kind: TieKind, from: string, to: string): boolean {
  return ties.in(world).get(tieKey(kind, from, to)) !== undefined;
}
