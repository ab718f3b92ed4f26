import type { ServerResponse } from "node:http";
import type { InjectedFault } from "../kernel/delivery/faults.ts";
import { ApiError } from "../kernel/http/api-error.ts";

/** Default time for which a `timeout` fault holds a request. */
const TIMEOUT_FAULT_MS = 60_000;

/** Applies a fault before the handler runs. Returns true when it closed the connection. */
export async function applyFault(fault: InjectedFault, response: ServerResponse): Promise<boolean> {
  switch (fault.type) {
    case "drop":
    case "cut":
      response.destroy();
      return true;
    case "timeout":
      await wait(fault.ms ?? TIMEOUT_FAULT_MS, response);
      response.destroy();
      return true;
    case "delay":
    case "reorder":
      await wait(fault.ms ?? 1_000, response);
      return false;
    case "status":
      throw new ApiError({
        status: fault.status ?? 503,
        code: "fault",
        message: "A fault of the sandbox answered this request.",
        title: "Service Unavailable",
        v1: 130,
        ads: "SERVICE_UNAVAILABLE",
      });
    case "duplicate":
    case "cut_after":
    case "limit":
    case "skew":
    // The next three faults exist for streams only, so they do not change the handling of a request.
    case "end":
    case "disconnect":
    case "stall":
      return false;
  }
}

/** Waits `ms` of real time, or until the caller disconnects. */
function wait(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
