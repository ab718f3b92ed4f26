import { EVENT_KIND_NAMES, type EventKindName } from "../../events/kinds/kinds.ts";
import {
  aboutTrigger,
  isInbound,
  maxAgeMsOf,
  type Trigger,
  TRIGGER_FACTS,
  TRIGGERS,
} from "../../events/triggers.ts";
import { TRIGGER_EXAMPLES } from "./explained/triggers.ts";
import { fieldsOf } from "../../rules/evaluate.ts";
import type { TopicFact, Topic } from "./topic.ts";

const HOUR_MS = 3_600_000;

/** Returns a reference topic for every trigger. */
export function triggerTopics(): readonly Topic[] {
  return TRIGGERS.map((trigger) => ({
    kind: "trigger",
    name: trigger,
    aliases: [],
    about: aboutTrigger(trigger),
    facts: factsOf(trigger),
    keys: [],
    examples: [{ title: "Example", example: TRIGGER_EXAMPLES[trigger] }],
    section: "triggers",
  }));
}

function factsOf(trigger: Trigger): readonly TopicFact[] {
  const { kind } = TRIGGER_FACTS[trigger];
  return [
    { label: "Kind of event", value: kind },
    { label: "`max_age` by default", value: maxAge(trigger) },
    ...(isInbound(trigger) ? [] : [{ label: "Note", value: onlyOutbound }]),
    ...fieldGroups(kind).map(({ of, fields }) => ({
      label: of === "" ? "Field" : `Fields of \`${of}\``,
      value: fields.join(", "),
    })),
  ];
}

export const onlyOutbound = "only with `direction: outbound`";

/** Returns the default maximum age of a trigger's events, such as `24h` or `none`. */
export function maxAge(trigger: Trigger): string {
  const hours = maxAgeMsOf(trigger) / HOUR_MS;
  return Number.isFinite(hours) ? `${hours}h` : "none";
}

/** Fields of an event that have the same parent. */
export interface FieldGroup {
  /** Path of the parent, such as `post.author`; empty for fields without a parent. */
  readonly of: string;
  /** Fields with their types, such as `` `followers_count` (number) ``. A field without a type is a text. */
  readonly fields: readonly string[];
}

/** Returns the fields of events of `kind`, in groups. */
export function fieldGroups(kind: EventKindName): readonly FieldGroup[] {
  const groups = new Map<string, string[]>();
  for (const [path, { type, mayBeAbsent }] of fieldsOf(kind)) {
    const of = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    const name = `\`${path.slice(of === "" ? 0 : of.length + 1)}\``;
    const notes = [...(type === "text" ? [] : [type]), ...(mayBeAbsent ? ["may be absent"] : [])];
    const field = notes.length === 0 ? name : `${name} (${notes.join(", ")})`;
    groups.set(of, [...(groups.get(of) ?? []), field]);
  }
  return [...groups].map(([of, fields]) => ({ of, fields }));
}

/** Kinds of events that have a trigger. */
export const KINDS_WITH_TRIGGER: readonly EventKindName[] = EVENT_KIND_NAMES.filter((kind) =>
  TRIGGERS.some((trigger) => TRIGGER_FACTS[trigger].kind === kind),
);
