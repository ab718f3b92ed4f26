import { describeAction } from "../../actions/actions.ts";
import type { Log } from "../log.ts";
import type { Perform } from "./outbox.ts";

/** Why an item of a dry run is `sent`, and nobody has got it. */
export const DRY_RUN = "dry run: it was not sent";

/** Performs nothing, says so, and takes it for done: what would follow follows. */
export function dryPerformer(log: Log): Perform {
  return async (account, action) => {
    log.info({ account, action: action.type }, `would send: ${describeAction(action)}`);
    return { kind: "accepted", reason: DRY_RUN };
  };
}
