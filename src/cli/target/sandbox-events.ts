import { ControlError } from "../../sandbox/control/connection.ts";
import type { SandboxEvent } from "../../sandbox/control/objects.ts";
import { NotRunningError } from "../exit-codes.ts";
import type { LocalSandbox } from "./sandbox-control.ts";

/**
 * Yields the sandbox's events from now on, until `signal` aborts or the sandbox ends.
 *
 * @param after Starts with the recent events after this sequence number.
 * @returns when the subscription is open, so that no later event is missed.
 * @throws {NotRunningError} if the events can't be read, or the sandbox ends.
 */
export async function followEvents(
  sandbox: LocalSandbox,
  signal: AbortSignal,
  after?: number,
): Promise<AsyncGenerator<SandboxEvent, void, undefined>> {
  const events = await sandbox.events(signal, after).catch((error: unknown) => {
    if (!(error instanceof ControlError)) throw error;
    throw new NotRunningError(`the sandbox's events can't be read: status ${error.status}`, {
      cause: error,
    });
  });
  return untilItEnds(events);
}

async function* untilItEnds(
  events: AsyncGenerator<SandboxEvent, void, undefined>,
): AsyncGenerator<SandboxEvent, void, undefined> {
  try {
    yield* events;
  } catch (cause) {
    throw new NotRunningError("the sandbox has ended", {
      cause,
      hint: "start it again: answerback dev",
    });
  }
}
