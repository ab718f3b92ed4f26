import { ControlClient } from "../../sandbox/control/client.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import { OperationError } from "./operation.ts";

/**
 * Returns a client for the control interface of the console's sandbox.
 *
 * @throws {OperationError} if the console has no sandbox.
 */
export function controlOf({ sandbox }: ConsoleNeeds): ControlClient {
  if (sandbox === undefined) throw new OperationError("no sandbox is shown here", 404);
  return new ControlClient(sandbox.control.url, sandbox.control.token);
}
