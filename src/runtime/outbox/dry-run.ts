import { describeAction, usualResult } from "../../actions/actions.ts";
import type { Log } from "../log.ts";
import type { Perform } from "./outbox.ts";

/** Reason of an item that a dry run marks as `sent` without sending it. */
export const DRY_RUN = "dry run: it was not sent";

/** Platform id in the results of a dry run. No object on the platform has this id. */
const DRY_RUN_ID = "0";

/**
 * Creates the function that logs each action instead of performing it. It returns `accepted`, so that the run continues
 * as after a real request.
 */
export function dryPerformer(log: Log): Perform {
  return async (account, action) => {
    log.info({ account, action: action.type }, `would send: ${describeAction(action)}`);
    const result = usualResult(action, { account, platformId: DRY_RUN_ID });
    return { kind: "accepted", reason: DRY_RUN, result };
  };
}
