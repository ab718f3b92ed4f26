import type { Area } from "../server/route.ts";
import { spaces as spaceTable } from "../model/spaces.ts";
import { routes } from "./routes.ts";
import { assumed } from "../kernel/ledger.ts";

/** Voice conversations, limited to look-ups. */
export const spaces: Area = {
  name: "spaces",
  tables: [spaceTable],
  routes,
  behaviours: [
    {
      behaviour:
        "spaces are those that the control interface made; who is in them does not change by itself",
      ...assumed("The sandbox has no sound."),
    },
  ],
};
