import type { Area } from "../kernel/route.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";

/** Recent search. */
export const search: Area = { name: "search", tables: [], routes, ledger };
