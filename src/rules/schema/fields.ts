import type { AccountEvent } from "../../events/event.ts";
import { type EventField, type FieldsOf, text, time } from "../../events/fields.ts";
import { isTrigger, TRIGGER_FACTS } from "../../events/triggers.ts";
import type { StateUse } from "./state-keys.ts";
import { EVENT_KIND_NAMES, eventKind, type EventKindName } from "../../events/kinds/kinds.ts";

/** Fields of every event. */
const EVERY: FieldsOf<AccountEvent> = {
  "event.key": text((event) => event.key),
  "event.kind": text((event) => event.kind),
  "event.direction": text((event) => event.direction),
  "event.time": time((event) => event.at),
  "account.id": text((event) => event.accountId),
};

/** Field that rules can read. */
export interface RuleField extends EventField<AccountEvent> {
  /** User state that holds the field's value. Absent if the event itself holds the value. */
  readonly use?: StateUse;
  /** Whether the field is `now`, the time of the decision. It does not depend on the event. */
  readonly isNow?: true;
}

/** The field `now`: the time of the decision. */
export const NOW: RuleField = { type: "time", read: () => undefined, isNow: true };

/** Fields of the sender whose values are in user state. Events of every kind with a sender have these fields. */
const REMEMBERED: Readonly<Record<string, RuleField>> = {
  "sender.labels": { type: "list of texts", read: () => [], use: { kind: "labels" } },
  "sender.is_new": { type: "boolean", read: () => undefined, use: { kind: "met" } },
};

/** Returns whether the value at `path` is user state rather than part of the event. */
export function isKeptInState(path: string): boolean {
  return path.startsWith("state.") || Object.hasOwn(REMEMBERED, path);
}

/** Returns whether a field holds handles. Handles in events have no `@`. */
export function isHandleField(path: string): boolean {
  return /\.(?:(?:in_reply_to_)?username|mentions|thread_mentions)$/.test(path);
}

type FieldMap = ReadonlyMap<string, RuleField>;

const FIELDS: ReadonlyMap<string, FieldMap> = new Map(
  EVENT_KIND_NAMES.map((kind) => [kind, allFields(kind)]),
);

/** Returns all fields of events of `kind`, by path. A field reads nothing from an event of another kind. */
export function fieldsOf(kind: EventKindName): FieldMap {
  return FIELDS.get(kind) ?? new Map();
}

const TIME_FIELDS: ReadonlySet<string> = new Set(
  [...FIELDS.values()].flatMap((fields) =>
    [...fields].flatMap(([path, { type }]) => (type === "time" ? [path] : [])),
  ),
);

/** Returns whether the field at `path` is a time in events of some kind. */
export function isTimeField(path: string): boolean {
  return TIME_FIELDS.has(path);
}

/** Returns the names of the triggers whose events lack `field`, separated by commas, for messages. */
export function triggersWithout(field: string, triggers: readonly string[]): string {
  const lacking = triggers.filter(
    (one) => !isTrigger(one) || !fieldsOf(TRIGGER_FACTS[one].kind).has(field),
  );
  return lacking.join(", ");
}

function allFields(kind: EventKindName): FieldMap {
  const own = Object.entries(eventKind(kind).fields).map(([path, field]): [string, RuleField] => [
    path,
    {
      type: field.type,
      ...(field.mayBeAbsent === true ? { mayBeAbsent: true } : {}),
      read: (event) => (event.kind === kind ? field.read(event) : undefined),
    },
  ]);
  const hasSender = own.some(([path]) => path === "sender.id");
  const remembered = hasSender ? Object.entries(REMEMBERED) : [];
  return new Map([...own, ...remembered, ...Object.entries(EVERY)]);
}
