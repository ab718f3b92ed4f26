import type { AccountEvent } from "../../events/event.ts";
import { type EventField, type FieldsOf, text, time } from "../../events/fields.ts";
import type { StateUse } from "./state-keys.ts";
import { EVENT_KIND_NAMES, eventKind, type EventKindName } from "../../events/kinds/kinds.ts";

/** What every event has. */
const EVERY: FieldsOf<AccountEvent> = {
  "event.key": text((event) => event.key),
  "event.kind": text((event) => event.kind),
  "event.direction": text((event) => event.direction),
  "event.time": time((event) => event.at),
  "account.id": text((event) => event.accountId),
};

/** A field that rules can ask for. */
export interface RuleField extends EventField<AccountEvent> {
  /** User state that holds its value: the event doesn't. */
  readonly use?: StateUse;
  /** The platform's time when the event is decided on, whatever the event. */
  readonly isNow?: true;
}

/** `now`, as a field. */
export const NOW: RuleField = { type: "time", read: () => undefined, isNow: true };

/** What is known of every person, from what rules kept of them. */
const REMEMBERED: Readonly<Record<string, RuleField>> = {
  "sender.labels": { type: "list of texts", read: () => [], use: { kind: "labels" } },
  "sender.is_new": { type: "boolean", read: () => undefined, use: { kind: "met" } },
};

/** Whether what stands at `path` is user state: the event does not tell it. */
export function isKeptInState(path: string): boolean {
  return path.startsWith("state.") || Object.hasOwn(REMEMBERED, path);
}

/** Whether a field holds handles, as events have them: without `@`. */
export function isHandleField(path: string): boolean {
  return /\.(?:username|mentions|thread_mentions)$/.test(path);
}

type FieldMap = ReadonlyMap<string, RuleField>;

const FIELDS: ReadonlyMap<string, FieldMap> = new Map(
  EVENT_KIND_NAMES.map((kind) => [kind, allFields(kind)]),
);

/** All fields of events of `kind`, by path. Reading one from an event of another kind gives nothing. */
export function fieldsOf(kind: EventKindName): FieldMap {
  return FIELDS.get(kind) ?? new Map();
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
