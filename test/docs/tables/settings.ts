import { parse, stringify } from "yaml";
import { settingTopics } from "../../../src/insight/reference/settings.ts";
import { table } from "../markdown.ts";

/** Renders every setting, from the schema of the settings file. */
export function settingsTable(): string {
  const rows = settingTopics().map(({ name, about, facts, examples }) => {
    const fact = (label: string): string => facts.find((one) => one.label === label)?.value ?? "";
    const limits = fact("Limits");
    const written = fact("Written as");
    return [
      `\`${name}\``,
      limits === "" ? written : `${written}, ${limits}`,
      fact("Default"),
      about,
      examples
        .map(({ example }) => (typeof example === "string" ? `\`${inline(example)}\`` : ""))
        .join(""),
      fact("In the environment"),
    ];
  });
  return table(
    ["Setting", "Written as", "Default", "Meaning", "Example", "In the environment"],
    rows,
  );
}

/** Puts a text on one line, for a cell. */
function inline(yaml: string): string {
  const flow = stringify(parse(yaml), { collectionStyle: "flow", lineWidth: 0 });
  return flow.trim().replace(/^\{ (.*) \}$/, "$1");
}
