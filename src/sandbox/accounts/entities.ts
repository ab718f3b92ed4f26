import * as z from "zod";
import { defineTable } from "../kernel/table.ts";

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

const tieSchema = z.strictObject({
  kind: z.enum(RELATIONS),
  from: z.string(),
  to: z.string(),
  at: z.number(),
});

/** Who follows, blocks and mutes whom. */
export const ties = defineTable({
  name: "ties",
  schema: tieSchema,
  key: (row) => tieKey(row.kind, row.from, row.to),
  indexes: {
    from: (row) => `${row.kind}:${row.from}`,
    to: (row) => `${row.kind}:${row.to}`,
  },
});

export function tieKey(kind: Relation, from: string, to: string): string {
  return `${kind}:${from}:${to}`;
}
