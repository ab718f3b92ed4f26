/** Target of a link in a page. */
export interface DocsLink {
  /** Path of the linked file, relative to the folder of the npm package: `config/README.md`. */
  readonly path: string;
  /** Anchor in the linked page, such as `#ask`; empty if the link has none. */
  readonly anchor: string;
}

/** Returns the anchor of a heading, as GitHub derives it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** Returns the target of a link in the page `from`; undefined for links to other sites. */
export function targetOf(from: string, href: string): DocsLink | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(href)) return undefined;
  const { pathname, hash } = new URL(href, `http://package.invalid/${from}`);
  return { path: decodeURIComponent(pathname.slice(1)), anchor: hash };
}

/** Whether a path is that of a picture. */
export function isPicture(path: string): boolean {
  return path.endsWith(".webp");
}

/** Returns the paths of the files and pictures to which a page links. Links in blocks of code do not count. */
export function linkedPaths({ path, text }: { path: string; text: string }): readonly string[] {
  return [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(
    ([, href = ""]) => targetOf(path, href)?.path ?? [],
  );
}

/** Removes the comments of a page, which are for the search and for generators. */
export function withoutComments(text: string): string {
  return text.replaceAll(BLOCK_OR_COMMENT, (match) => (match.startsWith("<!--") ? "" : match));
}

const BLOCK_OR_COMMENT = /^( *)```[\s\S]*?^\1```$|^<!--[\s\S]*?-->\n?/gm;

function withoutBlocks(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");
}
