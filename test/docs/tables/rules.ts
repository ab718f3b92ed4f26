import type { EventKindName } from "../../../src/events/kinds/kinds.ts";
import { TRIGGER_FACTS, TRIGGERS, aboutTrigger, isInbound } from "../../../src/events/triggers.ts";
import {
  functionTopics,
  operatorTopics,
  STEP_KEYS,
  stepTopics,
} from "../../../src/insight/reference/language.ts";
import { ruleKeyTopics } from "../../../src/insight/reference/rule-keys.ts";
import type { Topic } from "../../../src/insight/reference/topic.ts";
import {
  fieldGroups,
  maxAge,
  onlyOutbound,
  KINDS_WITH_TRIGGER,
  triggerTopics,
} from "../../../src/insight/reference/triggers.ts";
import { jsonSchema, type Key, keysOf } from "../../../src/insight/reference/written.ts";
import { ruleMap, triggerMap } from "../../../src/rules/file-schema/rule-file.ts";
import { table } from "../markdown.ts";

/** Renders the keys of a rule. */
export function ruleKeys(): string {
  return keyTable(keysOf(jsonSchema(ruleMap)));
}

/** Renders an example rule for each key of a rule. */
export function ruleKeyExamples(): string {
  return blocks(ruleKeyTopics(), () => []);
}

/** Renders the keys of a trigger that is written as a map. */
export function triggerKeys(): string {
  return keyTable(keysOf(jsonSchema(triggerMap)));
}

/** Renders the keys that every step may have beside its verb. */
export function stepKeys(): string {
  return keyTable(STEP_KEYS);
}

function keyTable(keys: readonly Key[]): string {
  return table(
    ["Key", "Written as", "Default", "Meaning"],
    keys.map(({ path, written, limits, byDefault, meaning }) => [
      `\`${path}\``,
      limits === "" ? written : `${written}, ${limits}`,
      byDefault === "" ? "" : `\`${byDefault}\``,
      meaning,
    ]),
  );
}

/** Renders every trigger, the kind of its events, and their maximum age. */
export function triggersTable(): string {
  const rows = TRIGGERS.map((trigger) => [
    `\`${trigger}\``,
    aboutTrigger(trigger),
    TRIGGER_FACTS[trigger].kind,
    maxAge(trigger),
    isInbound(trigger) ? "" : onlyOutbound,
  ]);
  return table(["Trigger", "When", "Kind of event", "`max_age` by default", "Note"], rows);
}

/** Renders an example rule for each trigger. */
export function triggerExamples(): string {
  return blocks(triggerTopics(), ({ facts }) => {
    const groups = facts.flatMap(({ label, value }) => {
      if (label === "Field") return value.split(", ");
      const [, of] = /^Fields of `(.*)`$/.exec(label) ?? [];
      return of === undefined || EVERY.has(of) ? [] : [`\`${of}.…\``];
    });
    return [
      groups.length === 0 ? "Fields: those of every event." : `Fields: ${groups.join(", ")}.`,
    ];
  });
}

/** Fields that every event has. */
const EVERY = new Set(["event", "account"]);

/** Renders the fields of events. Fields with the same parent and the same kinds of event share a row. */
export function fieldsTable(): string {
  const kindsOf = new Map<string, EventKindName[]>();
  for (const kind of KINDS_WITH_TRIGGER) {
    for (const { of, fields } of fieldGroups(kind)) {
      for (const field of fields) {
        const key = JSON.stringify([of, field]);
        kindsOf.set(key, [...(kindsOf.get(key) ?? []), kind]);
      }
    }
  }
  const groups = new Map<string, string[]>();
  for (const [key, all] of kindsOf) {
    const [of = "", field = ""]: string[] = JSON.parse(key);
    const carriedBy = all.length === KINDS_WITH_TRIGGER.length ? "every event" : all.join(", ");
    const row = JSON.stringify([of, carriedBy]);
    groups.set(row, [...(groups.get(row) ?? []), field]);
  }
  const rows = [...groups].map(([key, names]) => {
    const [of = "", carriedBy = ""]: string[] = JSON.parse(key);
    return [of === "" ? "" : `\`${of}.\``, names.join(", "), carriedBy];
  });
  return table(["Of", "Fields", "Kinds of event"], rows);
}

/** Renders every operator of conditions. */
export function operatorsTable(): string {
  const rows = operatorTopics().map((topic) => [
    `\`${topic.name}\``,
    factOf(topic, "For fields of type"),
    factOf(topic, "Operand"),
    topic.about,
    `\`${lineWith(topic, `${topic.name}:`)}\``,
  ]);
  return table(["Operator", "For fields of type", "Operand", "Holds when", "Example"], rows);
}

/** Renders every verb of a step. */
export function stepsTable(): string {
  const rows = verbs().map((topic) => [
    `\`${topic.name}\``,
    factOf(topic, "Written as"),
    factOf(topic, "Keys beside it"),
    factOf(topic, "May stand alone"),
    factOf(topic, "Needs"),
    topic.about,
  ]);
  return table(
    ["Verb", "Written as", "Keys beside it", "May stand alone", "Needs", "Meaning"],
    rows,
  );
}

/** Renders an example of each step, below the keys of its verb. */
export function stepExamples(): string {
  return blocks(stepTopics(), (topic) => {
    const result = factOf(topic, "In result");
    return [
      ...topic.keys.map(keyLine),
      ...(result === "" ? [] : [`- In \`steps.ID.result\`: ${result}`]),
    ];
  });
}

/** Describes a key with its limits, default and meaning, in one line. */
export function keyLine({ path, written, limits, byDefault, meaning, required }: Key): string {
  const notes = [
    limits === "" ? written : `${written}, ${limits}`,
    ...(required ? ["required"] : []),
    ...(byDefault === "" ? [] : [`default \`${byDefault}\``]),
  ];
  return `- \`${path}\` (${notes.join("; ")})${meaning === "" ? "" : `: ${meaning}`}`;
}

/** Returns all steps except `if`, which has no verb. */
export function verbs(): readonly Topic[] {
  return stepTopics().filter(({ name }) => name !== "if");
}

/** Renders the functions of expressions that are not part of CEL. */
export function functionsTable(): string {
  const rows = functionTopics().map((topic) => [
    `\`${topic.name}\``,
    topic.about,
    `\`${lineWith(topic, `${topic.aliases[0]}(`)}\``,
  ]);
  return table(["Function", "Gives", "Example"], rows);
}

/** Returns the value of the fact `label` in a help topic; empty if the topic does not have this fact. */
export function factOf({ facts }: Topic, label: string): string {
  return facts.find((fact) => fact.label === label)?.value ?? "";
}

/** Returns the line that contains `part` in a help topic's first example, without the dash of a list. */
export function lineWith({ examples }: Topic, part: string): string {
  const [first] = examples.map(({ example }) => (typeof example === "string" ? example : ""));
  const line = first?.split("\n").find((one) => one.includes(part)) ?? "";
  return line.trim().replace(/^- /, "");
}

/** Renders each topic with its notes and its example. */
function blocks(topics: readonly Topic[], notesOf: (topic: Topic) => readonly string[]): string {
  return topics
    .map((topic) => {
      const notes = notesOf(topic);
      const [first] = topic.examples.map(({ example }) => example);
      const yaml = typeof first === "string" ? first : "";
      return [
        `### \`${topic.name}\``,
        topic.about,
        ...(notes.length === 0 ? [] : [notes.join("\n")]),
        `\`\`\`yaml\n${yaml}\`\`\``,
      ].join("\n\n");
    })
    .join("\n\n");
}
