import * as z from "zod";
import { defineTable } from "../kernel/world/table.ts";

const webhookSchema = z.strictObject({
  id: z.string(),
  appId: z.string(),
  url: z.string(),
  valid: z.boolean(),
  createdAt: z.number(),
  /** When the next check of the service is due. */
  nextCheckAt: z.number(),
});

/** A registered callback URL of an app. */
export type WebhookRow = z.infer<typeof webhookSchema>;

export const webhookTable = defineTable({
  name: "webhooks",
  schema: webhookSchema,
  key: (row) => row.id,
  indexes: { app: (row) => row.appId },
});
