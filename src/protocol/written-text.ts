const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const ESCAPED: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** A link in a text, with the platform's field names. */
export interface ShownLink {
  /** The short address in the text. */
  readonly url: string;
  /** Address to which the short address leads. */
  readonly expanded_url?: string | undefined;
}

/** Whether an address leads to a post. It may have a query: the platform's apps copy `…/status/1?s=20`. */
export function isPageOf(postId: string | undefined, page: string): boolean {
  const rest = postId === undefined ? undefined : page.split(`/status/${postId}`)[1];
  return rest !== undefined && /^(?:$|[/?#])/.test(rest);
}

/** Encodes a text like the platform: `&`, `<` and `>` become entities. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
}

/**
 * Restores an author's text from the platform's form: decodes `&`, `<` and `>`, expands short links, and removes the
 * links that the platform added at the end.
 *
 * @param links All links in the text.
 * @param added Short addresses of links that the platform added, for pictures and quoted posts.
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
  const pages = new Map<string, string>();
  for (const { url, expanded_url: page } of links) {
    if (page !== undefined && page !== url && url !== "") pages.set(url, page);
  }
  if (pages.size === 0) return own;
  return own.replaceAll(/https?:\/\/\S+/g, (address) => pageOf(address, pages));
}

/** Returns the target of a short address; punctuation after the address stays. */
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
  const rest = shown.slice(0, -link.length).replace(/ $/, "");
  const others = added.filter((one) => one !== link);
  return withoutAdded(rest, others);
}
