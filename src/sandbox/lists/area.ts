import type { Area } from "../server/route.ts";
import { listTies, lists as listTable } from "../model/lists.ts";
import { listReadRoutes } from "./read-routes.ts";
import { listTieRoutes } from "./tie-routes.ts";
import { listWriteRoutes } from "./write-routes.ts";
import { assumed } from "../kernel/ledger.ts";

/** Lists of people: their members, followers and posts. */
export const lists: Area = {
  name: "lists",
  tables: [listTable, listTies],
  routes: [...listWriteRoutes, ...listReadRoutes, ...listTieRoutes],
  behaviours: [
    {
      behaviour: "a private list is not found by anybody but its owner",
      ...assumed("The live service says no more of it to others."),
    },
    {
      behaviour:
        "only the owner of a list changes it and its members; who blocks the owner is not added",
      ...assumed("Others get 403, as from the live service."),
    },
  ],
};
