import type { Area } from "../server/route.ts";
import { listTies, lists as listTable } from "../model/lists.ts";
import { behaviours } from "./ledger.ts";
import { listReadRoutes } from "./read-routes.ts";
import { listTieRoutes } from "./tie-routes.ts";
import { listWriteRoutes } from "./write-routes.ts";

/** Lists of people: their members, followers and posts. */
export const lists: Area = {
  name: "lists",
  tables: [listTable, listTies],
  routes: [...listWriteRoutes, ...listReadRoutes, ...listTieRoutes],
  behaviours,
};
