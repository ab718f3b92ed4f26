const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const ESCAPED: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** A link in a text, under the names of the wire. */
export interface ShownLink {
  /** The short address, as it stands in the text. */
  readonly url: string;
  /** Where it leads to. */
  readonly expanded_url?: string | undefined;
}

/** A text as the platform sends it: `&`, `<` and `>` are written as entities. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
}

/**
 * A text that the platform shows, as its author wrote it: no entities for `&`, `<` and `>`, links that lead where
 * they say, and none of the links that the platform adds at the end.
 *
 * @param links All that stand in the text.
 * @param added Short addresses of those that the platform added, for pictures and quoted posts.
 */
export function writtenText(
  shown: string,
  links: readonly ShownLink[] = [],
  added: readonly string[] = [],
): string {
  const own = withoutAdded(shown, added).replaceAll(
    /&(?:amp|lt|gt);/g,
    (entity) => ESCAPED[entity] ?? entity,
  );
  const pages = new Map(
    links.flatMap(({ url, expanded_url: page }) =>
      page === undefined || page === url || url === "" ? [] : [[url, page] as const],
    ),
  );
  if (pages.size === 0) return own;
  return own.replaceAll(/https?:\/\/\S+/g, (address) => pageOf(address, pages));
}

/** Punctuation may follow an address. */
function pageOf(address: string, pages: ReadonlyMap<string, string>): string {
  const whole = pages.get(address);
  if (whole !== undefined) return whole;
  const url = [...pages.keys()]
    .filter((one) => address.startsWith(one))
    .toSorted((a, b) => b.length - a.length)[0];
  return url === undefined ? address : `${pages.get(url)}${address.slice(url.length)}`;
}

function withoutAdded(shown: string, added: readonly string[]): string {
  const link = added.find((one) => one !== "" && shown.endsWith(one));
  if (link === undefined) return shown;
  const left = shown.slice(0, -link.length).replace(/ $/, "");
  const others = added.filter((one) => one !== link);
  return withoutAdded(left, others);
}
