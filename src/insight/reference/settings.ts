import { stringify } from "yaml";
import { SETTING_NAMES } from "../../config/override-settings.ts";
import { settingsFile } from "../../config/schema/settings-schema.ts";
import type { Topic } from "./topic.ts";
import { jsonSchema, type Key, keysOf } from "./written.ts";

const KEYS: readonly Key[] = keysOf(jsonSchema(settingsFile), true);

/** Returns a reference topic for every setting. */
export function settingTopics(): readonly Topic[] {
  return KEYS.map((key) => {
    const variable = SETTING_NAMES.find(({ path }) => path === key.path)?.variable;
    const facts = [
      { label: "Written as", value: key.written },
      { label: "Limits", value: key.limits },
      { label: "Default", value: key.byDefault === "" ? "" : `\`${key.byDefault}\`` },
      { label: "In the environment", value: variable === undefined ? "" : `\`${variable}\`` },
    ];
    return {
      kind: "setting",
      name: key.path,
      aliases: variable === undefined ? [] : [variable],
      about: key.meaning,
      facts: facts.filter(({ value }) => value !== ""),
      keys: [],
      examples:
        key.example === undefined
          ? []
          : [{ title: "Example", example: inFile(key), inSettings: true }],
      section: "settings",
    };
  });
}

/** Returns the setting with its example, as in a settings file. Includes the required settings of its group. */
function inFile({ path, example }: Key): string {
  const [first = "", second] = path.split(".");
  if (second === undefined) return stringify({ [first]: example });
  const beside = KEYS.filter((key) => key.required && key.path.startsWith(`${first}.`)).map(
    (key) => [key.path.slice(first.length + 1), key.example] as const,
  );
  return stringify({ [first]: { ...Object.fromEntries(beside), [second]: example } }, FLOW);
}

/** Options for writing YAML without line breaks, so that a line can be pasted. */
const FLOW = { lineWidth: 0 };
