import type { Text } from "@codemirror/state";

/** The part of JSON Schema that the editor needs. */
export interface Schema {
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  /** Description of each enum value. */
  readonly enumDescriptions?: readonly string[];
  readonly const?: unknown;
}

/** Keys from the top of a YAML text to a position, such as `["rules", "actions"]`. List indexes are left out. */
export interface KeysTo {
  readonly path: readonly string[];
  /** Key whose value contains the position. Absent: the position is at the beginning of a key. */
  readonly key?: string;
}

/**
 * Returns the keys that lead to a position in a YAML text. They are found by indentation, and by the open brackets in
 * the position's line.
 */
export function keysAt(doc: Text, pos: number): KeysTo {
  const line = doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  const above = doc.sliceString(0, line.from).split("\n").slice(0, -1);
  const inLine = keysBefore(before);
  const indent = /^[\s-]*/.exec(before)?.[0].length ?? 0;
  return { ...inLine, path: [...keysAbove(above, indent), ...inLine.path] };
}

/** Returns the parent keys of a position: going up, each line with less indentation than the previous key. */
function keysAbove(above: readonly string[], indent: number): readonly string[] {
  const path: string[] = [];
  let limit = indent;
  for (const text of above.toReversed()) {
    if (limit === 0) break;
    const key = /^([\s-]*)([\w.-]+):(?:\s|$)/.exec(text);
    if (key === null) continue;
    const [, lead = "", name = ""] = key;
    if (lead.length >= limit) continue;
    path.unshift(name);
    // the `-` of a list entry may be indented as far as the list's key, so that key must still match
    limit = lead.includes("-") ? lead.indexOf("-") + 1 : lead.length;
  }
  return path;
}

/** Pattern for the parts of a YAML line that determine a position: quoted texts, keys, brackets and commas. */
const PARTS = /"(?:[^"\\]|\\.)*"?|'[^']*'?|[\w.-]+(?=\s*:(?:\s|$))|[{}[\],]/g;

function keysBefore(text: string): KeysTo {
  const open: { readonly key: string | undefined; readonly isList: boolean }[] = [];
  let key: string | undefined;
  for (const [part] of text.matchAll(PARTS)) {
    if (part === "{" || part === "[") {
      open.push({ key, isList: part === "[" });
      key = undefined;
    } else if (part === "}" || part === "]") key = open.pop()?.key;
    else if (part === ",") key = open.length === 0 ? key : undefined;
    else if (!/^["']/.test(part)) key = part;
  }
  const path = open.flatMap((one) => one.key ?? []);
  // within brackets, the position is an entry of the list, so it belongs to the value of the list's key
  if (key === undefined && open.at(-1)?.isList === true) key = path.pop();
  return { path, ...(key !== undefined && { key }) };
}

/** Returns the schemas for the value at a path of keys. There may be several, since schemas list alternatives. */
export function placesOf(root: Schema, path: readonly string[]): readonly Schema[] {
  let places = variants(root, root);
  for (const part of path) places = places.flatMap((place) => step(root, place, part));
  return places;
}

/** Returns the schemas of a list's entries; for a schema without `items`, the schema itself. */
export function itemsOf(root: Schema, place: Schema): readonly Schema[] {
  return place.items === undefined ? [place] : variants(root, place.items);
}

function step(root: Schema, place: Schema, key: string): readonly Schema[] {
  return itemsOf(root, place).flatMap((schema) => {
    const { properties = {}, patternProperties = {}, additionalProperties: others } = schema;
    const like = Object.entries(patternProperties).find(([pattern]) =>
      new RegExp(pattern).test(key),
    );
    const valueSchema =
      properties[key] ?? like?.[1] ?? (typeof others === "object" ? others : undefined);
    return valueSchema === undefined ? [] : variants(root, valueSchema);
  });
}

/** Returns a schema with the schemas in its `$ref`, `anyOf`, `oneOf` and `allOf`, recursively. */
export function variants(root: Schema, schema: Schema, depth = 0): readonly Schema[] {
  if (depth > 8) return [];
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const target = $ref === undefined ? undefined : root.definitions?.[$ref.split("/").at(-1) ?? ""];
  const inner = [...(target === undefined ? [] : [target]), ...anyOf, ...oneOf, ...allOf];
  return [schema, ...inner.flatMap((one) => variants(root, one, depth + 1))];
}

/** Returns the description of a schema or of its alternatives; empty if there is none. */
export function descriptionOf(root: Schema, schema: Schema): string {
  return (
    variants(root, schema).find(({ description }) => description !== undefined)?.description ?? ""
  );
}
