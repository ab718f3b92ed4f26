import { UsageError } from "../../errors.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoint, nameOf } from "../http/endpoint.ts";
import type { Params } from "../http/endpoint.ts";
import { follow, type FollowOptions, type StreamSource } from "./follow.ts";

/**
 * Milliseconds without a byte after which a stream counts as broken; the platform sends a heartbeat every 20 seconds.
 */
const STALL_AFTER_MS = 30_000;

interface FollowParams extends Pick<FollowOptions, "onConnect" | "onDisconnect" | "onGap"> {
  readonly backfillMinutes?: number | undefined;
  readonly stallAfterMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Yields the items of a stream, across reconnects, until `signal` aborts or the client closes. */
export function followEndpoint<Item>(
  { settings }: Caller,
  source: StreamSource<Item>,
  params: FollowParams = {},
): AsyncGenerator<Item, void, undefined> {
  return follow(source, {
    clock: {
      now: () => settings.platformTime.now(),
      sleep: (ms, end) => settings.clock.sleep(ms, end),
    },
    signals: [params.signal, settings.closing].filter((one) => one !== undefined),
    backfillMinutes: params.backfillMinutes ?? 0,
    stallAfterMs: params.stallAfterMs ?? STALL_AFTER_MS,
    onConnect: params.onConnect,
    onDisconnect: params.onDisconnect,
    onGap: params.onGap,
  });
}

/** Creates the function that opens a streaming endpoint, with `query` and the requested minutes of backfill. */
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
