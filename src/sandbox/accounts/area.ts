import type { Area } from "../kernel/route.ts";
import { ties, users } from "./entities.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";

/** People and how they stand to each other. */
export const accounts: Area = { name: "accounts", tables: [users, ties], routes, ledger };
