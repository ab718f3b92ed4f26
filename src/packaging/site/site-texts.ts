import { contentsOf, type DocsGroup } from "../../docs/contents.ts";
import { withoutComments } from "../../docs/links.ts";
import { type DocsText, toPages } from "../../docs/page.ts";
import { readDocs, readTexts, withLinkedFiles } from "../../docs/read-docs.ts";

/** Pages for people who change the project. They are not in the package. */
const DEVELOPERS_PAGES = [
  "CONTRIBUTING.md",
  "src/README.md",
  "src/decisions/README.md",
  "test/README.md",
];

/** Texts of the site, and its navigation. */
export interface SiteTexts {
  readonly texts: readonly DocsText[];
  readonly groups: readonly DocsGroup[];
}

/** Reads the package's documentation, the pages for developers, and the files to which any of these pages link. */
export async function readSiteTexts(): Promise<SiteTexts> {
  const packaged = await readDocs();
  const developers = await readTexts([
    ...DEVELOPERS_PAGES,
    "src/**/README.md",
    "src/decisions/*/*.md",
  ]);
  const packagedPaths = new Set(packaged.map(({ path }) => path));
  const added = new Map(developers.map((text) => [text.path, text]));
  const texts = await withLinkedFiles([
    ...packaged,
    ...[...added.values()].filter(({ path }) => !packagedPaths.has(path)),
  ]);
  const pages = DEVELOPERS_PAGES.flatMap((path) => {
    const text = added.get(path);
    return text === undefined ? [] : { path, title: toPages(text)[0].title };
  });
  return { texts, groups: [...contentsOf(texts), { title: "Change Answerback", pages }] };
}

/** Returns the path of a page's source in the site's input: a README is the index of its folder. */
export function sourceOf(path: string): string {
  if (path.endsWith(".md")) return path.replace(/(?<=^|\/)README\.md$/, "index.md");
  // The site's generator skips files whose names begin with a dot.
  return `${path.replace(/(?<=^|\/)\.(?=[^/]*$)/, "dot-")}.md`;
}

/** Returns the address of a page within the site. */
export function addressOf(path: string): string {
  return `/${sourceOf(path)
    .replace(/(?<=^|\/)index\.md$/, "")
    .replace(/\.md$/, ".html")}`;
}

/** Returns the Markdown of a page of the site; of other files, a page that shows the file. */
export function markdownOf({ path, text }: DocsText): string {
  if (path.startsWith("config/reference/")) return `${WIDE}${withoutComments(text)}`;
  if (path.endsWith(".md")) return withoutComments(text);
  const name = path.split("/").at(-1) ?? path;
  const language = LANGUAGES.find(([ending]) => name.endsWith(ending))?.[1] ?? "";
  return `# ${name}\n\n\`${path}\`\n\n\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`;
}

/** Front matter that hides a page's outline, which makes room for tables of up to six columns. */
const WIDE = "---\naside: false\n---\n\n";

const LANGUAGES: readonly (readonly [ending: string, language: string])[] = [
  [".yaml", "yaml"],
  [".json", "json"],
  [".sql", "sql"],
  [".conf", "nginx"],
  [".service", "ini"],
  ["Dockerfile", "docker"],
];
