import { readFileSync } from "node:fs";

/** The JSON Schema of each kind of file. */
export const SCHEMAS = {
  settings: "answerback.schema.json",
  rules: "rules.schema.json",
  tests: "rule-tests.schema.json",
} as const;

/** One of those. */
export type SchemaFile = (typeof SCHEMAS)[keyof typeof SCHEMAS];

/** The texts of all, by name: those of this version, without blanks. */
export function schemaTexts(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.values(SCHEMAS).map((name) => {
      const url = new URL(`../../../config/schema/${name}`, import.meta.url);
      return [name, `${JSON.stringify(JSON.parse(readFileSync(url, "utf8")))}\n`];
    }),
  );
}

/** The line by which a file names its schema to editors. */
const MODELINE = /^# yaml-language-server: \$schema=(\S+)$/m;

/** What a file's own line names as its schema; undefined where it has none. */
export function namedSchema(text: string): string | undefined {
  return MODELINE.exec(text)?.[1];
}

/** The text with a first line that names `schema`, in the place of one that named another. */
export function namingSchema(text: string, schema: string): string {
  const line = `# yaml-language-server: $schema=${schema}`;
  return MODELINE.test(text) ? text.replace(MODELINE, () => line) : `${line}\n${text}`;
}
