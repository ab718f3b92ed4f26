import type { Area } from "../server/route.ts";
import { relationships, users } from "../model/accounts.ts";
import { controlRoutes } from "./control-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { userLookupRoutes } from "./lookup-routes.ts";
import { relationshipRoutes } from "./relationship-routes.ts";
import { userSearchRoutes } from "./search-routes.ts";
import { assumed, documented } from "../kernel/ledger.ts";

/** Users and their relationships. */
export const accounts: Area = {
  name: "accounts",
  tables: [users, relationships],
  routes: [
    ...userLookupRoutes,
    ...userSearchRoutes,
    ...listRoutes,
    ...relationshipRoutes,
    ...controlRoutes,
  ],
  behaviours: [
    {
      behaviour: "a user has id, name and username by default, also inside includes",
      ...documented("Field-selectable objects"),
    },
    {
      behaviour: "following a protected user sends a request that the user must accept",
      ...assumed("The answer has `pending_follow`; use the control interface to accept or refuse."),
    },
    {
      behaviour: "following an account that one blocks is refused with 403",
      ...assumed("The documentation is silent. The error's text is a guess."),
    },
    {
      behaviour: "a missing user gives 404, a suspended one 403, each with the problem in `errors`",
      ...assumed("The live service has also been seen to answer 200 with only `errors`."),
    },
    {
      behaviour: "requests of a suspended user are refused with 403 (code 64)",
      ...assumed("As in the live service's list of error codes; all requests are refused."),
    },
  ],
};
