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
      behaviour: "a private list is visible only to its owner",
      ...assumed('As on the live service, others get "not found".'),
    },
    {
      behaviour:
        "only the owner can change a list and its members; people who block the owner can't be added",
      ...assumed("Others get 403, as on the live service."),
    },
  ],
};
