import { UsageError } from "../../errors.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoint, nameOf } from "../http/endpoint.ts";
import type { Params } from "../http/request.ts";
import type { StreamSource } from "./follow.ts";

/** Opens an endpoint whose answer goes on, with a query and as much backfill as is wanted. */
export function openEndpoint(
  caller: Caller,
  endpoint: Endpoint,
  query: Params,
): StreamSource<never>["open"] {
  return async (minutes, signal, onArrival) => {
    const backfill = { backfill_minutes: minutes === 0 ? undefined : minutes };
    const answer = caller.open?.(
      endpoint,
      { query: { ...query, ...backfill } },
      { signal, onArrival },
    );
    if (answer !== undefined) return answer;
    throw new UsageError(`${nameOf(endpoint)} goes on: it can't be asked for here`, {
      hint: "follow the stream with a client of createClient",
    });
  };
}
