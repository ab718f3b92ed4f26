import { DM_EVENT_EXPANSIONS } from "../../interface/fields.ts";
import { userOf } from "../auth/caller.ts";
import { Includes } from "../fields/includes.ts";
import { metaOf, pageOf, type Source } from "../fields/paging.ts";
import { Query } from "../fields/query.ts";
import { readerOf } from "../fields/reader.ts";
import { readSelection, type Selection } from "../fields/selection.ts";
import type { Answer, Call } from "../kernel/route.ts";
import { type Message, messages } from "./entities.ts";
import { EVENT_TYPES, type EventType, eventTypeOf, showEvent } from "./render.ts";
import { isKept } from "./rules.ts";

const SIZES = { min: 1, max: 100 };
const SIZE = 100;

/** What a list of message events is asked for. */
export interface Asked {
  readonly size: number;
  readonly place: ReturnType<Query["token"]>;
  readonly types: ReadonlySet<EventType>;
  readonly selection: Selection;
}

export function readList(call: Call): Asked {
  const query = new Query(call);
  const asked = {
    size: query.integer("max_results", SIZES) ?? SIZE,
    place: query.token("pagination_token"),
    types: query.choices("event_types", EVENT_TYPES),
    selection: readEventSelection(query),
  };
  query.done();
  return asked;
}

export function readEventSelection(query: Query): Selection {
  return readSelection(query, ["dm_event", "user", "post", "media"], DM_EVENT_EXPANSIONS);
}

/** The answer with a page of the caller's events: of one conversation, or of all. */
export function listEvents(call: Call, asked: Asked, conversationId?: string): Answer {
  const { world } = call.sandbox;
  const reader = readerOf(call);
  const userId = userOf(call.caller).id;
  const table = messages.in(world);
  const index = conversationId === undefined ? "reader" : "conversation";
  const value = conversationId ?? userId;
  const source: Source<Message> = {
    down: (below) => table.down(index, value, below),
    up: (above) => table.up(index, value, above),
    orderOf: ({ id }) => id,
    keep: (event) =>
      isKept(event, userId, reader.now) &&
      (asked.types.size === 0 || asked.types.has(eventTypeOf(event))),
  };
  const page = pageOf(source, asked.size, asked.place);
  const includes = new Includes(reader, asked.selection);
  const data = page.items.map((event) => showEvent(reader, event, asked.selection, includes));
  return {
    body: { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta: metaOf(page) },
  };
}
