import { readFile } from "node:fs/promises";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { PATH_WORDS } from "../../src/protocol/dialects.ts";
import type { JsonSchema, Operation, PublishedFacts } from "./published-facts.ts";

/** An answer as received. */
export interface WireAnswer {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

/** A published description with which answers are compared. */
export interface Published {
  readonly version: string;
  /** Operation of a request, with its name such as `GET /2/users/{id}`. */
  operation(
    method: string,
    path: string,
  ): { readonly name: string; readonly says: Operation } | undefined;
  /** Differences between an answer and its description; empty if there are none. */
  differences(answer: WireAnswer): readonly string[];
}

/** Reads the facts of a version, which `distil.ts` wrote. */
export async function published(version: string): Promise<Published> {
  const file = new URL(`published/${version}.json`, import.meta.url);
  const facts: PublishedFacts = JSON.parse(await readFile(file, "utf8"));
  // OpenAPI has keywords that JSON Schema lacks, such as `discriminator`
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addFormat("long", true);
  ajv.addSchema({ $id: "published", components: { schemas: facts.schemas } });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const validator = (schema: JsonSchema): ValidateFunction => {
    const cached = compiled.get(schema);
    if (cached !== undefined) return cached;
    const validate = ajv.compile(within(schema));
    compiled.set(schema, validate);
    return validate;
  };
  const errorsOf = (schema: JsonSchema, value: unknown): readonly string[] => {
    const validate = validator(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const more = "additionalProperty" in params ? ` ${String(params["additionalProperty"])}` : "";
      return `${instancePath.replaceAll(/\/\d+/g, "/*")} ${message}${more}`;
    });
  };
  const [home = ""] = Object.keys(mappingOf(facts)).filter((type) => type.includes("/2/problems/"));
  /** Replaces the host in a problem's `type` by the host in the description. */
  const atHome = (key: string, value: unknown): unknown =>
    key === "type" && typeof value === "string"
      ? value.replace(/^.*(?=\/2\/problems\/)/, home.replace(/\/2\/problems\/.*$/, ""))
      : value;
  const templates = Object.entries(facts.operations).map(([name, says]) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, says, method, segments: path.split("/") };
  });

  const operation: Published["operation"] = (method, path) => {
    // in both published versions the paths still have the platform's older words, such as `tweets`
    const segments = path.split("/").map((word) => PATH_WORDS[word] ?? word);
    const fitting = templates.filter((one) => {
      return (
        one.method === method &&
        one.segments.length === segments.length &&
        one.segments.every((part, index) => part.startsWith("{") || part === segments[index])
      );
    });
    const literals = ({ segments: parts }: (typeof templates)[number]): number =>
      parts.filter((part) => !part.startsWith("{")).length;
    return fitting.toSorted((a, b) => literals(b) - literals(a))[0];
  };

  return {
    version: facts.version,
    operation,
    differences({ method, path, status, body }) {
      const described = operation(method, path);
      if (described === undefined) return [];
      const value: unknown = body === "" ? undefined : JSON.parse(body, atHome);
      const schema = described.says.answers[status];
      if (schema !== undefined) return errorsOf(schema, value);
      if (status < 400)
        return [`the status is none of ${Object.keys(described.says.answers).join(", ")}`];
      return problemErrors(facts, value, errorsOf);
    },
  };
}

/** Checks a failure: it is a problem of its type, or an error with a code. */
function problemErrors(
  facts: PublishedFacts,
  value: unknown,
  errorsOf: (schema: JsonSchema, value: unknown) => readonly string[],
): readonly string[] {
  const { type, code } = Object(value) as { readonly type?: unknown; readonly code?: unknown };
  if (type === undefined && code !== undefined)
    return errorsOf(facts.schemas["Error"] ?? {}, value);
  const $ref = typeof type === "string" ? mappingOf(facts)[type] : undefined;
  if ($ref === undefined) return [`the type of the problem is not described: ${String(type)}`];
  return errorsOf({ $ref }, value);
}

/** Schemas of problems by their type. */
function mappingOf({ schemas }: PublishedFacts): Readonly<Record<string, string>> {
  const { discriminator } = (schemas["Problem"] ?? {}) as {
    readonly discriminator?: { readonly mapping?: Readonly<Record<string, string>> };
  };
  return discriminator?.mapping ?? {};
}

/** Returns the schema with its `$ref`s pointing into the description, which has the id `published`. */
function within(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"published#/components/'),
  ) as JsonSchema;
}
