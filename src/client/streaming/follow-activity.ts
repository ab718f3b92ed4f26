import { z } from "zod";
import type { ApiResponse } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { type Endpoint, nameOf } from "../http/endpoint.ts";
import { jsonFields } from "../http/json-fields.ts";
import { fieldsToPostDialect } from "../http/dialect.ts";
import { dataOf } from "../reading/response.ts";
import type { StreamLine } from "./follow.ts";
import type { StreamBreak, StreamGap } from "./gap.ts";
import { madeAt } from "./made-at.ts";
import { followEndpoint, openEndpoint } from "./open-endpoint.ts";
import { streamEnding } from "./stream-ending.ts";

const Fields = z.record(z.string(), z.unknown());
/** Filter of a subscription. */
export const ActivityFilter = z.object({
  user_id: z.string().optional(),
  direction: z.string().optional(),
  keyword: z.string().optional(),
});
const Event = z.object({
  /** Event type such as `dm.received`. */
  event_type: z.string(),
  /** Id of what happened. Each matching subscription gets its own event with this id. */
  event_uuid: z.string(),
  filter: ActivityFilter,
  tag: z.string().optional(),
  /**
   * Content, which depends on the event type: a post, `source` and `target` of a follow, or the account activity fields
   * of a message.
   */
  payload: Fields.optional(),
  includes: z.record(z.string(), z.array(Fields)).optional(),
});

/** Event of a subscription on the activity stream. */
export type ActivityStreamEvent = z.infer<typeof Event>;

/** Start, end and callbacks of the activity stream. */
export interface ActivityStreamParams {
  /** Minutes of backfill at the start, 0 (the default) to 5: events of these minutes come first. */
  readonly backfillMinutes?: number | undefined;
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Silence after which a connection counts as broken, in milliseconds; default 30 000. */
  readonly stallAfterMs?: number | undefined;
  /** Called each time the stream connects. */
  readonly onConnect?: (() => void) | undefined;
  /** Called each time the stream disconnects or fails to connect, with the wait until the next attempt. */
  readonly onDisconnect?: ((broken: StreamBreak) => void) | undefined;
  /**
   * Called for each gap once its backfill is complete or impossible. The platform has no search for missed activities.
   */
  readonly onGap?: ((gap: StreamGap) => void) | undefined;
}

/** Yields the events of the app's subscriptions, across reconnects. */
export function followActivity(
  caller: Caller,
  endpoint: Endpoint,
  params: ActivityStreamParams = {},
): AsyncGenerator<ActivityStreamEvent, void, undefined> {
  const name = nameOf(endpoint);
  const read = (line: string): StreamLine<ActivityStreamEvent> => {
    const body = fieldsToPostDialect(jsonFields(line, name, 200));
    const answer: ApiResponse = { endpoint: name, status: 200, body };
    if (body["data"] === undefined) return streamEnding(answer);
    const item = dataOf(answer, Event);
    return { kind: "item", item, id: keyOf(item), madeAt: madeAt(item.event_uuid) };
  };
  return followEndpoint(caller, { open: openEndpoint(caller, endpoint, {}), read }, params);
}

/**
 * Deduplication key of an event. It includes the subscription, because several subscriptions may report the same
 * occurrence.
 */
function keyOf({ event_uuid, event_type, filter, tag }: ActivityStreamEvent): string {
  return JSON.stringify([event_uuid, event_type, filter, tag]);
}
