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
        "only the control interface creates spaces; their members do not change by themselves",
      ...assumed("The sandbox has no audio."),
    },
    {
      behaviour: "a new space may have a chosen id of 1 to 13 letters and digits",
      ...assumed("The live service's API description gives ids this form."),
    },
  ],
};
