import { settingsFile } from "../../../src/config/schema/settings-schema.ts";
import { jsonSchema } from "../../../src/insight/reference/written.ts";

type Schema = ReturnType<typeof jsonSchema>;

/** Settings that are not rendered, because a program passes them as other options. */
const LEFT_OUT = new Set(["version", "rules", "data", "log"]);
/** Settings whose default in a program differs from that in a settings file. */
const OTHER_DEFAULT = new Set(["bots", "store"]);
/** Maximum length of a line of a docstring. */
const LINE = 112;

/** Renders the members of `RuntimeSettings`, with the descriptions of the schema. */
export function runtimeSettings(): string {
  const { properties = {}, ...schema } = jsonSchema(settingsFile);
  const listedProperties = Object.entries(properties).filter(([key]) => !LEFT_OUT.has(key));
  return members({ ...schema, properties: Object.fromEntries(listedProperties) }, "  ");
}

function members({ properties = {}, required = [] }: Schema, indent: string): string {
  return Object.entries(properties)
    .map(([key, inner]) => {
      const schema = schemaOf(inner);
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const mark = required.includes(key) ? "" : "?";
      const type = typeOf(schema, indent);
      return `${docstring(key, schema, indent)}${indent}readonly ${name}${mark}: ${type};`;
    })
    .join("\n");
}

function typeOf(schema: Schema, indent: string): string {
  const { type, properties, additionalProperties } = schema;
  if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (type === "array") return `readonly ${typeOf(schemaOf(schema.items), indent)}[]`;
  if (type === "integer") return "number";
  if (type !== "object") return String(type);
  const deeper = `${indent}  `;
  const inner =
    properties === undefined
      ? `${deeper}readonly [name: string]: ${typeOf(schemaOf(additionalProperties), deeper)};`
      : members(schema, deeper);
  return `{\n${inner}\n${indent}}`;
}

function docstring(key: string, schema: Schema, indent: string): string {
  const { description, default: byDefault, properties } = schema;
  const isShown = properties === undefined && byDefault !== undefined && !OTHER_DEFAULT.has(key);
  const parts = [description ?? "", isShown ? `Default: \`${JSON.stringify(byDefault)}\`.` : ""];
  const text = parts.filter((part) => part !== "").join(" ");
  if (text === "") return "";
  const line = `${indent}/** ${text} */\n`;
  if (line.length <= LINE) return line;
  const lines = text.match(new RegExp(`\\S.{0,${LINE - indent.length - 4}}(?= |$)`, "g")) ?? [];
  return [`${indent}/**`, ...lines.map((one) => `${indent} * ${one}`), `${indent} */`, ""].join(
    "\n",
  );
}

function schemaOf(schema: Schema["items"] | Schema["additionalProperties"]): Schema {
  if (typeof schema === "object" && !Array.isArray(schema)) return schema;
  throw new Error("a setting has a schema of its own");
}
