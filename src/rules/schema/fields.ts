import type { AccountEvent } from "../../events/event.ts";
import { type EventField, type FieldsOf, text, time } from "../../events/fields.ts";
import { EVENT_KIND_NAMES, eventKind, type EventKindName } from "../../events/kinds/kinds.ts";

/** What every event has. */
const EVERY: FieldsOf<AccountEvent> = {
  "event.key": text((event) => event.key),
  "event.kind": text((event) => event.kind),
  "event.direction": text((event) => event.direction),
  "event.time": time((event) => event.at),
  "account.id": text((event) => event.accountId),
};

type FieldMap = ReadonlyMap<string, EventField<AccountEvent>>;

const FIELDS: ReadonlyMap<string, FieldMap> = new Map(
  EVENT_KIND_NAMES.map((kind) => [kind, allFields(kind)]),
);

/** All fields of events of `kind`, by path. Reading one from an event of another kind gives nothing. */
export function fieldsOf(kind: EventKindName): FieldMap {
  return FIELDS.get(kind) ?? new Map();
}

function allFields(kind: EventKindName): FieldMap {
  const own = Object.entries(eventKind(kind).fields).map(
    ([path, field]): [string, EventField<AccountEvent>] => [
      path,
      {
        type: field.type,
        read: (event) => (event.kind === kind ? field.read(event) : undefined),
      },
    ],
  );
  return new Map([...own, ...Object.entries(EVERY)]);
}
