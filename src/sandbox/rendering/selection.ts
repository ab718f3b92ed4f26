import { DEFAULT_FIELDS } from "../../protocol/fields.ts";
import type { RenderContext } from "./render-context.ts";

/** JSON object of the platform's API, with the newer names (`repost_count`, not `retweet_count`). */
export type WireObject = Record<string, unknown>;

/** Kinds of objects whose fields can be selected. */
export type SelectableKind = keyof typeof DEFAULT_FIELDS;

/** Fields and expansions that a request selects beyond the default fields. */
export interface Selection {
  readonly fields: Readonly<Record<SelectableKind, ReadonlySet<string>>>;
  readonly expansions: ReadonlySet<string>;
}

/** Computes the value of a field only when it is selected; `undefined` leaves the field out. */
export type LazyField = () => unknown;

/**
 * Returns an object with its default and selected fields, in the order of `fields`.
 *
 * Fields without a value are left out, as on the platform.
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
 * Creates a function that works like {@link pick} for rows of one kind. `fields` is prepared once for all rows, and
 * only the selected fields of each row are computed.
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

/** Selects fields like {@link pick} from an object whose fields are computed already. */
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
