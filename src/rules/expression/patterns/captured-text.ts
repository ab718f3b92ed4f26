import { tidied } from "../../../text/tidied.ts";
import type { Pattern } from "./pattern.ts";

/**
 * Returns the named groups of the first of `patterns` that matches, in the original spelling; `undefined` if none
 * matches.
 *
 * @param written Original text. Unless `cased`, the search ignores case and variants of characters, see `tidied`.
 */
export function capturedText(
  patterns: readonly Pattern[],
  written: string,
  cased: boolean,
): Readonly<Record<string, string>> | undefined {
  const { text, original } = cased ? unchanged(written) : tidied(written);
  for (const pattern of patterns) {
    const groupSpans = pattern.spans(text);
    if (groupSpans === undefined) continue;
    return Object.fromEntries(
      pattern.groups.map((name) => {
        const span = groupSpans.get(name);
        return [name, span === undefined ? "" : original(span.start, span.end)];
      }),
    );
  }
  return undefined;
}

function unchanged(text: string): ReturnType<typeof tidied> {
  return { text, original: (start, end) => text.slice(start, end) };
}
