import { hostTable } from "../kernel/delivery/hosts.ts";
import type { Area } from "../server/route.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** The sandbox's own interface: state, clock, faults, hosts, what happened. */
export const control: Area = { name: "control", tables: [hostTable], routes, behaviours };
