import { tidied } from "../../../text/tidied.ts";
import type { Pattern } from "./pattern.ts";

/**
 * Texts of the named groups of the first of `patterns` that matches, as the person wrote them. `undefined`: none matches.
 *
 * @param written The text as it came. Unless `cased`, it is made tidy before it is searched.
 */
export function capturedText(
  patterns: readonly Pattern[],
  written: string,
  cased: boolean,
): Readonly<Record<string, string>> | undefined {
  const { text, original } = cased ? unchanged(written) : tidied(written);
  for (const pattern of patterns) {
    const found = pattern.spans(text);
    if (found === undefined) continue;
    return Object.fromEntries(
      pattern.groups.map((name) => {
        const span = found[name];
        return [name, span === undefined ? "" : original(span.start, span.end)];
      }),
    );
  }
  return undefined;
}

function unchanged(text: string): ReturnType<typeof tidied> {
  return { text, original: (start, end) => text.slice(start, end) };
}
