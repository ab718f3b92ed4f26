import { readFile, writeFile } from "node:fs/promises";
import type { JsonSchema, Operation, PublishedFacts } from "./published-facts.ts";

/**
 * Extracts from a published OpenAPI description the facts about requests and answers, without its prose: schemas of
 * answers and bodies, names and values of parameters. Run it by hand when the platform publishes another version:
 *
 *     npm run distil -- DESCRIPTION.json test/interface/published/VERSION.json
 */

interface Described {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

interface DescribedOperation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: JsonSchema;
}

const METHODS = ["get", "post", "put", "delete"];
/** Keys of a description that are for people only. */
const WORDS = new Set(["description", "example", "examples", "summary", "title", "externalDocs"]);
/** Large parts of the platform's API that bots do not use. */
const LEFT_OUT =
  /^\/2\/(chat|notes|compliance|broadcasts|news|communities|insights|evaluate)|firehose|sample/;

function withoutWords(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withoutWords(one));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => isNames || !WORDS.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, withoutWords(value, key === "properties" && !isNames)]),
  );
}

function operationOf(described: Described, operation: DescribedOperation): Operation {
  const parameters = (operation.parameters ?? []).flatMap((one) => {
    if (!("$ref" in one)) return one;
    return described.components.parameters?.[one.$ref.split("/").at(-1) ?? ""] ?? [];
  });
  const queryParameters = parameters.filter((one) => one.in === "query");
  const answers = Object.entries(operation.responses ?? {}).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return schema === undefined || status === "default" ? [] : [[status, withoutWords(schema)]];
  });
  return {
    query: Object.fromEntries(queryParameters.map(({ name, schema }) => [name, valuesOf(schema)])),
    answers: Object.fromEntries(answers) as Operation["answers"],
  };
}

/** Words that a list accepts; none if it is not a list of words. */
function valuesOf(schema: JsonSchema = {}): readonly string[] {
  const { items } = schema as { readonly items?: { readonly enum?: readonly string[] } };
  return items?.enum ?? [];
}

function reachable(described: Described, from: unknown): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const look = (text: string): void => {
    for (const [, name = ""] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      const schema = described.components.schemas[name];
      if (name in schemas || schema === undefined) continue;
      schemas[name] = withoutWords(schema) as JsonSchema;
      look(JSON.stringify(schemas[name]));
    }
  };
  look(JSON.stringify(from));
  return schemas;
}

const [input = "", output = ""] = process.argv.slice(2);
const described = JSON.parse(await readFile(input, "utf8")) as Described;
const operations = Object.entries(described.paths)
  .filter(([path]) => !LEFT_OUT.test(path))
  .flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return [[`${method.toUpperCase()} ${path}`, operationOf(described, operation)] as const];
    }),
  );
const problems = ["Error", "Problem"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
const facts: PublishedFacts = {
  version: described.info.version,
  operations: Object.fromEntries(operations),
  schemas: reachable(described, [operations, problems]),
};
const lines = (of: Readonly<Record<string, unknown>>): string =>
  Object.entries(of)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n");
await writeFile(
  output,
  `{\n  "version": ${JSON.stringify(facts.version)},\n  "operations": {\n${lines(facts.operations)}\n  },\n  "schemas": {\n${lines(facts.schemas)}\n  }\n}\n`,
);
