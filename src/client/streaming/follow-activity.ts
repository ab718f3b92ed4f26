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
/** What a subscription is limited to. */
export const ActivityFilter = z.object({
  user_id: z.string().optional(),
  direction: z.string().optional(),
  keyword: z.string().optional(),
});
const Event = z.object({
  /** Such as `dm.received`. */
  event_type: z.string(),
  /** Of what happened; each subscription that it is for gets an event with it. */
  event_uuid: z.string(),
  filter: ActivityFilter,
  tag: z.string().optional(),
  /** By type: a post, `source` and `target` of a follow, what account activity has of a message. */
  payload: Fields.optional(),
  includes: z.record(z.string(), z.array(Fields)).optional(),
});

/** Something that happened, as the activity interface tells a subscription of it. */
export type ActivityStreamEvent = z.infer<typeof Event>;

/** From when on activities are streamed, and who is told of what. */
export interface ActivityStreamParams {
  /** Minutes before now from which activities come first, 0 (the default) to 5. */
  readonly backfillMinutes?: number | undefined;
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
  /** Silence after which a connection counts as broken, in milliseconds; default 30 000. */
  readonly stallAfterMs?: number | undefined;
  /** Told each time that the stream is connected. */
  readonly onConnect?: (() => void) | undefined;
  /** Told each time that it is not, or can't be, and when it will be tried again. */
  readonly onDisconnect?: ((broken: StreamBreak) => void) | undefined;
  /** Told of each gap once it is known whether backfill has filled it; nothing else can. */
  readonly onGap?: ((gap: StreamGap) => void) | undefined;
}

/** Follows the stream of the app's subscriptions. */
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

/** What tells two events apart: several subscriptions may be told of the same. */
function keyOf({ event_uuid, event_type, filter, tag }: ActivityStreamEvent): string {
  return JSON.stringify([event_uuid, event_type, filter, tag]);
}
