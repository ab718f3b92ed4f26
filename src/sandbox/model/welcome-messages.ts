import * as z from "zod";
import { instant } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";

const welcomeMessageSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  ownerId: z.string(),
  /** Name that only the owner sees; empty if the owner has set none. */
  name: z.string(),
  text: z.string(),
  at: instant,
  appId: z.string(),
  mediaIds: z.array(z.string()).optional(),
});

/** A message that greets people who open a conversation with its owner. */
export type WelcomeMessageRow = z.infer<typeof welcomeMessageSchema>;

export const welcomeMessages = defineTable({
  name: "welcome_messages",
  schema: welcomeMessageSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: { owner: (row) => row.ownerId },
});

const welcomeRuleSchema = z.strictObject({
  id: z.string().regex(/^\d{1,19}$/),
  ownerId: z.string(),
  messageId: z.string(),
  at: instant,
});

/** A rule that makes a welcome message the default welcome message of its owner. */
export type WelcomeRuleRow = z.infer<typeof welcomeRuleSchema>;

export const welcomeRules = defineTable({
  name: "welcome_rules",
  schema: welcomeRuleSchema,
  key: (row) => row.id,
  order: (row) => row.id,
  indexes: { owner: (row) => row.ownerId, message: (row) => row.messageId },
});
