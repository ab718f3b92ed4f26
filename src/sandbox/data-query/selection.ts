import {
  DEFAULT_FIELDS,
  DM_EVENT_FIELDS,
  LIST_FIELDS,
  MEDIA_FIELDS,
  PLACE_FIELDS,
  POLL_FIELDS,
  POST_FIELDS,
  SPACE_FIELDS,
  TOPIC_FIELDS,
  USER_FIELDS,
} from "../../protocol/fields.ts";
import type { Query } from "./query.ts";
import type { RenderContext } from "./render-context.ts";

/** Kinds of objects whose fields can be selected. */
export type SelectableKind = keyof typeof DEFAULT_FIELDS;

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

/** What a request asks for beyond default fields. */
export interface Selection {
  readonly fields: Readonly<Record<SelectableKind, ReadonlySet<string>>>;
  readonly expansions: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Reads the field parameters of some kinds of objects and the expansions of the primary one. */
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

/** Computes the value of a field only when it is selected; `undefined` leaves the field out. */
export type LazyField = () => unknown;

/**
 * An object with its default fields and those selected, in the order of `fields`.
 *
 * Fields the object has nothing for are left out, as the platform does.
 */
export function pick(
  kind: SelectableKind,
  selected: ReadonlySet<string>,
  fields: Readonly<Record<string, LazyField>>,
): Record<string, unknown> {
  const defaults: readonly string[] = DEFAULT_FIELDS[kind];
  const picked: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(fields)) {
    if (!defaults.includes(name) && !selected.has(name)) continue;
    const value = read();
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** Computes the value of a field of a row; `undefined` leaves the field out. */
export type FieldReader<Row> = (context: RenderContext, row: Row) => unknown;

/**
 * What {@link pick} does, for a kind whose fields are known beforehand: made once, it makes nothing for a row but the
 * fields that are selected.
 */
export function picker<Row>(
  kind: SelectableKind,
  fields: Readonly<Record<string, FieldReader<Row>>>,
): (context: RenderContext, row: Row, selected: ReadonlySet<string>) => Record<string, unknown> {
  const defaults: readonly string[] = DEFAULT_FIELDS[kind];
  const readers = Object.entries(fields).map(([name, read]) => {
    return { name, read, isDefault: defaults.includes(name) };
  });
  return (context, row, selected) => {
    const picked: Record<string, unknown> = {};
    for (const { name, read, isDefault } of readers) {
      if (!isDefault && !selected.has(name)) continue;
      const value = read(context, row);
      if (value !== undefined) picked[name] = value;
    }
    return picked;
  };
}

/** The same for an object whose fields are computed already. */
export function pickFrom(
  kind: SelectableKind,
  selected: ReadonlySet<string>,
  whole: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return pick(
    kind,
    selected,
    Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, () => value])),
  );
}
