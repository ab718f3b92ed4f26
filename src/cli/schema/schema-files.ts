import { readFileSync } from "node:fs";

/** Names of the JSON Schema files for settings, rules and tests. */
export const SCHEMAS = {
  settings: "answerback.schema.json",
  rules: "rules.schema.json",
  tests: "rule-tests.schema.json",
} as const;

/** Name of a JSON Schema file in {@link SCHEMAS}. */
export type SchemaFile = (typeof SCHEMAS)[keyof typeof SCHEMAS];

/** Texts of this version's JSON Schemas by file name, without white space. */
export function schemaTexts(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values(SCHEMAS).map((name) => {
      const url = new URL(`../../../config/schema/${name}`, import.meta.url);
      return [name, `${JSON.stringify(JSON.parse(readFileSync(url, "utf8")))}\n`];
    }),
  );
}

/** Line with which a YAML file names its schema for editors. */
const MODELINE = /(?<=^\uFEFF?)# yaml-language-server: \$schema=(\S+)$/m;

/** Schema that the text of a YAML file names; undefined if it names none. */
export function namedSchema(text: string): string | undefined {
  return MODELINE.exec(text)?.[1];
}

/** Returns the text with a first line that names `schema`. An existing line is replaced. */
export function namingSchema(text: string, schema: string): string {
  const line = `# yaml-language-server: $schema=${schema}`;
  return MODELINE.test(text)
    ? text.replace(MODELINE, () => line)
    : text.replace(/^\uFEFF?/, (mark) => `${mark}${line}\n`);
}
