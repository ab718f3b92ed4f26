import type { Area } from "../server/route.ts";
import { documented } from "../kernel/ledger.ts";
import { polls as pollTable, votes } from "../model/polls.ts";
import { routes } from "./routes.ts";

/** Polls and their votes. */
export const polls: Area = {
  name: "polls",
  tables: [pollTable, votes],
  routes,
  behaviours: [
    {
      behaviour: "polls are selectable objects; voting_status follows the clock",
      ...documented("Field-selectable objects", "The field list is the live service's."),
    },
  ],
};
