import { RULE_KEY_EXAMPLES, STEP_KEY_EXAMPLES } from "./explained/rule-keys.ts";
import { ruleMap, stepMap } from "../../rules/language.ts";
import { STEP_KEYS } from "./language.ts";
import type { Topic } from "./topic.ts";
import { jsonSchema, type Key, keysInside, keysOf } from "./written.ts";

/** Returns a reference topic for every key of a rule. */
export function ruleKeyTopics(): readonly Topic[] {
  const schema = jsonSchema(ruleMap);
  return keysOf(schema).map((key) => ({
    kind: "rule key",
    ...keyTopic(key, schema, RULE_KEY_EXAMPLES),
    section: "rule-keys",
  }));
}

/** Returns a reference topic for every key that any step may have in addition to its verb. */
export function stepKeyTopics(): readonly Topic[] {
  const schema = jsonSchema(stepMap);
  return STEP_KEYS.map((key) => ({
    kind: "step key",
    ...keyTopic(key, schema, STEP_KEY_EXAMPLES),
    section: "steps",
  }));
}

function keyTopic(
  { path, written, limits, byDefault, meaning }: Key,
  { properties = {} }: ReturnType<typeof jsonSchema>,
  shown: Readonly<Record<string, string>>,
): Omit<Topic, "kind" | "section"> {
  const inner = properties[path];
  const example = shown[path];
  const facts = [
    { label: "Written as", value: written },
    { label: "Limits", value: limits },
    { label: "Default", value: byDefault === "" ? "" : `\`${byDefault}\`` },
  ];
  return {
    name: path,
    aliases: [],
    about: meaning,
    facts: facts.filter(({ value }) => value !== ""),
    keys: typeof inner === "object" ? keysInside(inner) : [],
    examples: example === undefined ? [] : [{ title: "Example", example }],
  };
}
