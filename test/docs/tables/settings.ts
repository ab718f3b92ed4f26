import { SETTING_NAMES } from "../../../src/config/override-settings.ts";
import { settingsFile } from "../../../src/config/settings-schema.ts";
import { table } from "../markdown.ts";
import { jsonSchema, keysOf } from "./written.ts";

/** Every setting, from the schema of the settings file. */
export function settingsTable(): string {
  const variables = new Map(SETTING_NAMES.map(({ path, variable }) => [path, variable]));
  const rows = keysOf(jsonSchema(settingsFile), true).map(
    ({ path, written, byDefault, meaning }) => {
      const variable = variables.get(path);
      const given = variable === undefined ? "" : `\`${variable}\``;
      return [`\`${path}\``, written, byDefault, meaning, given];
    },
  );
  return table(["Setting", "Written as", "Default", "Meaning", "In the environment"], rows);
}
