import { hoverTooltip } from "@codemirror/view";
import { descriptionOf, keysAt, placesOf } from "./schema-places.ts";
import type { Schema } from "./schema-places.ts";

const KEY = /[\w.-]+(?=\s*:(?:\s|$))/g;

/** Returns an editor extension that describes the key under the pointer, from a JSON Schema. */
export function hintsOf(rawSchema: unknown) {
  const root: Schema = Object(rawSchema);
  return hoverTooltip(({ state: { doc } }, pos) => {
    const line = doc.lineAt(pos);
    const at = pos - line.from;
    const key = [...line.text.matchAll(KEY)].find(
      ({ index, 0: { length } }) => index <= at && at <= index + length,
    );
    if (key === undefined) return null;
    const { path } = keysAt(doc, pos - at + key.index);
    const text = placesOf(root, [...path, key[0]])
      .map((place) => descriptionOf(root, place))
      .find((one) => one !== "");
    if (text === undefined) return null;
    return {
      pos: line.from + key.index,
      end: line.from + key.index + key[0].length,
      above: true,
      create() {
        const dom = document.createElement("div");
        dom.className = "rules-hint";
        dom.textContent = text;
        return { dom };
      },
    };
  });
}
