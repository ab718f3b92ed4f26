import type { Area } from "../kernel/route.ts";
import { webhookTable } from "./entities.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";
import { planCheck } from "./rules.ts";

/** Callback URLs of apps and the challenges that keep them valid. */
export const webhooks: Area = {
  name: "webhooks",
  tables: [webhookTable],
  routes,
  ledger,
  arm(sandbox) {
    for (const webhook of webhookTable.in(sandbox.world).all()) planCheck(sandbox, webhook);
  },
};
