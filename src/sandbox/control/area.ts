import { hostTable } from "../kernel/hosts.ts";
import type { Area } from "../kernel/route.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";

/** The sandbox's own interface: state, clock, faults, hosts, what happened. */
export const control: Area = { name: "control", tables: [hostTable], routes, ledger };
