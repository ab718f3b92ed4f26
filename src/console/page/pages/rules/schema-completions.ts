import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import {
  descriptionOf,
  itemsOf,
  keysAt,
  placesOf,
  type Schema,
  variants,
} from "./schema-places.ts";

/** Returns a function that completes keys and words of values from a JSON Schema, with their descriptions. */
export function completionsOf(rawSchema: unknown) {
  const root: Schema = Object(rawSchema);
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const { text, from: start } = state.doc.lineAt(pos);
    const from = start + text.slice(0, pos - start).search(/[\w.-]*$/);
    // at an empty place the list opens only on request, since it would cover the text below
    if (from === pos && !explicit) return null;
    const { path, key } = keysAt(state.doc, from);
    const options =
      key === undefined
        ? placesOf(root, path)
            .flatMap((place) => itemsOf(root, place))
            .flatMap((place) => keysOf(root, place))
        : placesOf(root, [...path, key]).flatMap((place) => wordsOf(root, place));
    const uniqueOptions = [...new Map(options.map((one) => [one.label, one])).values()];
    return uniqueOptions.length === 0
      ? null
      : { from, options: uniqueOptions, validFor: /^[\w.-]*$/ };
  };
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
    ...own.map((word, at) => ({
      label: String(word),
      type: "enum",
      info: schema.enumDescriptions?.[at] ?? descriptionOf(root, schema),
    })),
    ...items.flatMap(({ items: _inner, ...item }) => wordsOf(root, item)),
  ];
}
