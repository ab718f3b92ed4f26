import * as z from "zod";
import { defineTable } from "../kernel/table.ts";

const postSchema = z.strictObject({
  id: z.string(),
  authorId: z.string(),
  text: z.string(),
  at: z.number(),
  replyTo: z.string().optional(),
  quoteOf: z.string().optional(),
  repostOf: z.string().optional(),
  /** First post of the thread; its own id where it starts one. */
  conversationId: z.string(),
  /** App that sent it; absent for people at their own clients. */
  appId: z.string().optional(),
  deletedAt: z.number().optional(),
  /** Further fields of the post object, under their wire names, such as attachments. */
  extra: z.record(z.string(), z.unknown()).optional(),
});

/** A post as a compact fact; a deleted one stays, since replies to and quotes of it still render. */
export type Post = z.infer<typeof postSchema>;

export const posts = defineTable({
  name: "posts",
  schema: postSchema,
  key: (row) => row.id,
  indexes: {
    author: (row) => row.authorId,
    replyTo: (row) => row.replyTo,
    quoteOf: (row) => row.quoteOf,
    repostOf: (row) => row.repostOf,
    conversation: (row) => row.conversationId,
  },
});

/** Who likes what. */
export const likes = defineTable({
  name: "likes",
  schema: z.strictObject({
    id: z.string(),
    userId: z.string(),
    postId: z.string(),
    at: z.number(),
  }),
  key: (row) => row.id,
  indexes: {
    pair: (row) => `${row.userId}:${row.postId}`,
    post: (row) => row.postId,
    user: (row) => row.userId,
  },
});
