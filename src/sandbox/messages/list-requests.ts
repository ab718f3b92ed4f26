import { DM_EVENT_EXPANSIONS } from "../../protocol/fields.ts";
import { userOf } from "../auth/caller.ts";
import { Includes } from "../rendering/includes.ts";
import {
  encodeCursor,
  metaOf,
  pageOf,
  type ListPage,
  type PagedList,
  type PageRequest,
} from "../kernel/world/paging.ts";
import { Query } from "../data-query/query.ts";
import { renderContext } from "../data-query/viewer.ts";
import { readSelection } from "../data-query/read-selection.ts";
import { type Selection } from "../rendering/selection.ts";
import type { RouteResponse, RouteCall } from "../server/route.ts";
import { isMessageListed, type MessageRow, messages } from "../model/messages.ts";
import { EVENT_TYPES, type EventType, eventTypeOf, renderEvent } from "../rendering/messages.ts";

const SIZES = { min: 1, max: 100, default: 100 };

/** Page, event types and fields of a request for a list of message events. */
export interface EventListRequest {
  readonly page: PageRequest;
  readonly types: ReadonlySet<EventType>;
  readonly selection: Selection;
}

export function readEventListRequest(call: RouteCall, ...ids: readonly string[]): EventListRequest {
  const query = new Query(call);
  for (const name of ids) query.pathId(name);
  const request = {
    page: query.page(SIZES),
    types: query.choices("event_types", EVENT_TYPES),
    selection: readEventSelection(query),
  };
  query.finish();
  return request;
}

export function readEventSelection(query: Query): Selection {
  return readSelection(query, ["dm_event", "user", "post", "media"], DM_EVENT_EXPANSIONS);
}

/** Returns a page of the caller's message events: of one conversation, or of all conversations. */
export function listEvents(
  call: RouteCall,
  request: EventListRequest,
  conversationId?: string,
): RouteResponse {
  const { world } = call.sandbox;
  const context = renderContext(call);
  const userId = userOf(call.caller).id;
  const table = messages.in(world);
  const index = conversationId === undefined ? "reader" : "conversation";
  const value = conversationId ?? userId;
  const list: PagedList<MessageRow> = {
    descending: (below) => table.descending(index, value, below),
    ascending: (above) => table.ascending(index, value, above),
    orderOf: ({ id }) => id,
    keep: (event) =>
      isMessageListed(event, userId, context.now) &&
      (request.types.size === 0 || request.types.has(eventTypeOf(event))),
  };
  const page = withBothTokens(pageOf(list, request.page));
  const includes = new Includes(context, request.selection);
  const data = page.items.map((event) => renderEvent(context, event, request.selection, includes));
  return {
    body: { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta: metaOf(page) },
  };
}

/** Adds both page tokens to a page that is not empty. Lists of messages have them even without neighbouring pages. */
function withBothTokens(page: ListPage<MessageRow>): ListPage<MessageRow> {
  const newest = page.items[0];
  const oldest = page.items.at(-1);
  if (newest === undefined || oldest === undefined) return { items: [] };
  return {
    items: page.items,
    next: encodeCursor({ direction: "older", id: oldest.id }),
    previous: encodeCursor({ direction: "newer", id: newest.id }),
  };
}
