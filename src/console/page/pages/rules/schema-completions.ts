import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";

/** As much of JSON Schema as completions need. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Offers the keys that may stand at a place, and the words that a value may be, with what each means. */
export function completionsOf(given: unknown) {
  const root: Schema = Object(given);
  return ({ state, pos }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    const word = /[\w.-]*$/.exec(before)?.[0] ?? "";
    const from = pos - word.length;
    const above = state.sliceDoc(0, line.from).split("\n").slice(0, -1);
    const value = /^[\s-]*([\w.-]+):\s+(?:\[.*)?[\w.-]*$/.exec(before);
    const path = pathAt(above, indentOf(before));
    const places = resolved(root, path);
    const options =
      value === null
        ? places.flatMap((place) => keysOf(root, place))
        : places
            .flatMap((place) => step(root, place, value[1] ?? ""))
            .flatMap((place) => wordsOf(root, place));
    const found = [...new Map(options.map((one) => [one.label, one])).values()];
    return found.length === 0 ? null : { from, options: found, validFor: /^[\w.-]*$/ };
  };
}

/** Columns before the key that stands on a line, behind the dashes of lists. */
function indentOf(text: string): number {
  return /^[\s-]*/.exec(text)?.[0].length ?? 0;
}

/** The keys and list items that lead to a column, from the lines above: `["rules", 0, "actions", 0]`. */
function pathAt(above: readonly string[], indent: number): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let limit = indent;
  for (const text of above.toReversed()) {
    const key = /^([\s-]*)([\w.-]+):(?:\s|$)/.exec(text);
    if (key === null) continue;
    const [, lead = "", name = ""] = key;
    if (lead.length >= limit) continue;
    if (
      limit - lead.length > 0 &&
      path.length === 0 &&
      lead.includes("-") &&
      indent > lead.length
    ) {
      path.unshift(name);
    } else path.unshift(name);
    limit = lead.includes("-") ? lead.indexOf("-") + 1 : lead.length;
    if (limit === 0) break;
  }
  return path;
}

function resolved(root: Schema, path: readonly (string | number)[]): readonly Schema[] {
  let places = variants(root, root);
  for (const part of path) places = places.flatMap((place) => step(root, place, String(part)));
  return places.flatMap((place) =>
    place.items === undefined ? [place] : variants(root, place.items),
  );
}

function step(root: Schema, place: Schema, key: string): readonly Schema[] {
  const item = place.items === undefined ? [place] : variants(root, place.items);
  return item.flatMap(({ properties = {}, additionalProperties: others }) => {
    const found = properties[key] ?? (typeof others === "object" ? others : undefined);
    return found === undefined ? [] : variants(root, found);
  });
}

/** A schema with what it refers to and each of its alternatives. */
function variants(root: Schema, schema: Schema, depth = 0): readonly Schema[] {
  if (depth > 8) return [];
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const target = $ref === undefined ? undefined : root.$defs?.[$ref.split("/").at(-1) ?? ""];
  const inner = [...(target === undefined ? [] : [target]), ...anyOf, ...oneOf, ...allOf];
  return [schema, ...inner.flatMap((one) => variants(root, one, depth + 1))];
}

function keysOf(root: Schema, { properties = {} }: Schema): readonly Completion[] {
  return Object.entries(properties).map(([label, schema]) => ({
    label,
    type: "property",
    apply: `${label}: `,
    info: descriptionOf(root, schema),
  }));
}

function wordsOf(root: Schema, schema: Schema): readonly Completion[] {
  const own = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
  const items = schema.items === undefined ? [] : variants(root, schema.items);
  return [
    ...own.map((word) => ({
      label: String(word),
      type: "enum",
      info: descriptionOf(root, schema),
    })),
    ...items.flatMap(({ items: _inner, ...item }) => wordsOf(root, item)),
  ];
}

function descriptionOf(root: Schema, schema: Schema): string {
  return (
    variants(root, schema).find(({ description }) => description !== undefined)?.description ?? ""
  );
}
