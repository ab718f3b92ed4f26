import { ownRoute } from "../server/control-input.ts";
import { assumed, type BehaviourRow, documented } from "../kernel/ledger.ts";

/** Endpoints that the live service has removed. */
export const FORMER = assumed(
  "The live service took it out of v2 in 2024; kept for clients of before.",
);

/** Access and fidelity ledger row of control endpoints that stand for people who use the platform's own app. */
export const PEOPLE = ownRoute("stands for people at their own clients.");

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "a user has id, name and username by default, also inside includes",
    ...documented("Field-selectable objects"),
  },
  {
    behaviour: "following a protected user asks for permission first",
    ...assumed("The answer says `pending_follow`; the control interface accepts or refuses."),
  },
  {
    behaviour: "a missing user is 404, a suspended one 403, each with the problem in `errors`",
    ...assumed("The live service has answered 200 with `errors` alone as well."),
  },
];
