import { ownRoute } from "../server/control-input.ts";
import { assumed, type BehaviourRow, documented } from "../kernel/ledger.ts";

/** Ledger entry for endpoints that the live service has removed, and that the sandbox still serves. */
export const FORMER = assumed(
  "The live service removed the endpoint from v2 in 2024; kept for older clients.",
);

/** Access and ledger entry of control endpoints through which tests act as people who use the platform's own app. */
export const PEOPLE = ownRoute("stands for people at their own clients.");

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "a user has id, name and username by default, also inside includes",
    ...documented("Field-selectable objects"),
  },
  {
    behaviour: "following a protected user sends a request that the user must accept",
    ...assumed("The answer has `pending_follow`; use the control interface to accept or refuse."),
  },
  {
    behaviour: "a missing user gives 404, a suspended one 403, each with the problem in `errors`",
    ...assumed("The live service has also been seen to answer 200 with only `errors`."),
  },
];
