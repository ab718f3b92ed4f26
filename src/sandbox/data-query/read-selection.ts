import {
  DM_EVENT_FIELDS,
  LIST_EXPANSIONS,
  LIST_FIELDS,
  MEDIA_FIELDS,
  PLACE_FIELDS,
  POLL_FIELDS,
  POST_EXPANSIONS,
  POST_FIELDS,
  SPACE_EXPANSIONS,
  SPACE_FIELDS,
  TOPIC_FIELDS,
  USER_EXPANSIONS,
  USER_FIELDS,
} from "../../protocol/fields.ts";
import type { SelectableKind, Selection } from "../rendering/selection.ts";
import type { Query } from "./query.ts";

const FIELDS: Readonly<Record<SelectableKind, readonly string[]>> = {
  post: POST_FIELDS,
  user: USER_FIELDS,
  media: MEDIA_FIELDS,
  poll: POLL_FIELDS,
  place: PLACE_FIELDS,
  dm_event: DM_EVENT_FIELDS,
  list: LIST_FIELDS,
  space: SPACE_FIELDS,
  topic: TOPIC_FIELDS,
};

const NONE: ReadonlySet<string> = new Set();

/** Reads the fields and related objects that a response shall contain: `<kind>.fields` and `expansions`. */
export function readSelection(
  query: Query,
  kinds: readonly SelectableKind[],
  expansions: readonly string[],
): Selection {
  const read = (kind: SelectableKind): ReadonlySet<string> =>
    kinds.includes(kind) ? query.choices(`${kind}.fields`, FIELDS[kind]) : NONE;
  return {
    fields: {
      post: read("post"),
      user: read("user"),
      media: read("media"),
      poll: read("poll"),
      place: read("place"),
      dm_event: read("dm_event"),
      list: read("list"),
      space: read("space"),
      topic: read("topic"),
    },
    expansions: query.choices("expansions", expansions),
  };
}

/** Reads `expansions` and the `….fields` parameters of an endpoint that returns posts. */
export function readPostSelection(query: Query): Selection {
  return readSelection(query, ["post", "user", "media", "poll", "place"], POST_EXPANSIONS);
}

/** Reads `expansions` and the `….fields` parameters of an endpoint that returns users. */
export function readUserSelection(query: Query): Selection {
  return readSelection(query, ["user", "post"], USER_EXPANSIONS);
}

/** Reads `expansions` and the `….fields` parameters of an endpoint that returns lists. */
export function readListSelection(query: Query): Selection {
  return readSelection(query, ["list", "user"], LIST_EXPANSIONS);
}

/** Reads `expansions` and the `….fields` parameters of an endpoint that returns spaces. */
export function readSpaceSelection(query: Query): Selection {
  return readSelection(query, ["space", "user", "topic"], SPACE_EXPANSIONS);
}
