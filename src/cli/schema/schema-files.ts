import { readFileSync } from "node:fs";

/** JSON Schema file by kind of file. */
export const SCHEMAS = {
  settings: "answerback.schema.json",
  rules: "rules.schema.json",
  tests: "rule-tests.schema.json",
} as const;

/** Name of a file in {@link SCHEMAS}. */
export type SchemaFile = (typeof SCHEMAS)[keyof typeof SCHEMAS];

/** Texts of this version's schemas by name, without white space. */
export function schemaTexts(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values(SCHEMAS).map((name) => {
      const url = new URL(`../../../config/schema/${name}`, import.meta.url);
      return [name, `${JSON.stringify(JSON.parse(readFileSync(url, "utf8")))}\n`];
    }),
  );
}

/** Line with which a file names its schema to editors. */
const MODELINE = /^# yaml-language-server: \$schema=(\S+)$/m;

/** Schema that a file names; undefined if it names none. */
export function namedSchema(text: string): string | undefined {
  return MODELINE.exec(text)?.[1];
}

/** Puts a line that names `schema` first, or replaces the existing one. */
export function namingSchema(text: string, schema: string): string {
  const line = `# yaml-language-server: $schema=${schema}`;
  return MODELINE.test(text) ? text.replace(MODELINE, () => line) : `${line}\n${text}`;
}
