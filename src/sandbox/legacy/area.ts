import type { Area } from "../kernel/route.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Webhooks and account activity of version 1.1: other paths and words for the same records. */
export const legacy: Area = { name: "legacy", tables: [], routes, ledger };
