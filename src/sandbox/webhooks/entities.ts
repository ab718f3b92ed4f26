import * as z from "zod";
import { instant, ruled } from "../kernel/world/columns.ts";
import { defineTable } from "../kernel/world/table.ts";
import { webhookUrlFault } from "./url.ts";

const webhookSchema = z.strictObject({
  id: z.string(),
  appId: z.string(),
  url: ruled(webhookUrlFault),
  valid: z.boolean(),
  createdAt: instant,
  /** When the next check of the service is due. */
  nextCheckAt: instant,
});

/** A registered callback URL of an app. */
export type WebhookRow = z.infer<typeof webhookSchema>;

export const webhookTable = defineTable({
  name: "webhooks",
  schema: webhookSchema,
  key: (row) => row.id,
  indexes: { app: (row) => row.appId },
});
