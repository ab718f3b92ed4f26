import type { Area } from "../kernel/area.ts";
import { webhookTable } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";
import { scheduleCheck } from "./rules.ts";

/** Callback URLs of apps and the challenges that keep them valid. */
export const webhooks: Area = {
  name: "webhooks",
  tables: [webhookTable],
  routes,
  behaviours,
  schedule(sandbox) {
    for (const webhook of webhookTable.in(sandbox.world).all()) scheduleCheck(sandbox, webhook);
  },
};
