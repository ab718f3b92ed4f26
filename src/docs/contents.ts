import { targetOf } from "./links.ts";
import { type DocsText, toPages } from "./page.ts";

/** Pages under one heading of the navigation. */
export interface DocsGroup {
  readonly title: string;
  readonly pages: readonly DocsEntry[];
}

export interface DocsEntry {
  readonly path: string;
  readonly title: string;
}

/** Groups the pages as the tables of config/README.md, bots/README.md and examples/README.md do. */
export function contentsOf(texts: readonly DocsText[]): readonly DocsGroup[] {
  const titles = new Map(texts.map((text) => [text.path, toPages(text)[0].title]));
  const entries = (paths: readonly string[]): readonly DocsEntry[] =>
    paths.flatMap((path) => {
      const title = titles.get(path);
      return title === undefined ? [] : { path, title };
    });
  const tables = ["config/README.md", "bots/README.md", "examples/README.md"].flatMap((path) =>
    tablesOf(texts.find((text) => text.path === path)),
  );
  return [
    { title: "Begin", pages: entries(["README.md", "config/README.md", "bots/README.md"]) },
    ...tables.map(({ title, paths }) => ({ title, pages: entries(paths) })),
    { title: "Versions and security", pages: entries(["CHANGELOG.md", "SECURITY.md"]) },
  ];
}

/** Headings of an index page, each with the pages to which the table below the heading links. */
function tablesOf(
  page: DocsText | undefined,
): readonly { readonly title: string; readonly paths: readonly string[] }[] {
  if (page === undefined) return [];
  return page.text.split(/^##? /m).flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const links = section.matchAll(/\]\(([^)\s]+\.md)\)(?=[^\n]*\|$)/gm);
    const paths = [...links].flatMap(([, href = ""]) => targetOf(page.path, href)?.path ?? []);
    return paths.length === 0 ? [] : [{ title, paths }];
  });
}
