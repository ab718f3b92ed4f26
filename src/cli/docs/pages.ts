import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { glob } from "tinyglobby";

/** Folder of the package, which has the documentation. */
const PACKAGE = fileURLToPath(new URL("../../../", import.meta.url));

/** Pages in the order in which they are listed. */
const PAGES = [
  "config/README.md",
  "config/guide/rules/*.md",
  "config/guide/operating/*.md",
  "bots/README.md",
  "bots/guide/*.md",
  "config/reference/*.md",
  "examples/*/README.md",
];

/** Page of the documentation, or one entry of a reference page. */
export interface DocsPage {
  /** Path in the package, with the anchor of an entry: `config/reference/steps.md#ask`. */
  readonly path: string;
  readonly title: string;
  /** First sentence. */
  readonly about: string;
  /** Words by which readers look for the page: the comment `also:` below its title. */
  readonly also: string;
  readonly text: string;
}

/** Reads all pages of the documentation. */
export async function readPages(): Promise<readonly DocsPage[]> {
  const paths = await Promise.all(PAGES.map((pattern) => glob(pattern, { cwd: PACKAGE })));
  const pages = paths
    .flatMap((some) => some.toSorted())
    .map(async (path) => {
      const [head = "", ...entries] = (await readFile(PACKAGE + path, "utf8")).split(/^### /m);
      if (!path.startsWith("config/reference/"))
        return [toPage(path, [head, ...entries].join("\n"))];
      const page = toPage(path, head);
      return [page, ...entries.map((entry) => toEntry(page, entry))];
    });
  return (await Promise.all(pages)).flat();
}

/** Path of a page from the folder `cwd` on. */
export function placeOf({ path }: DocsPage, cwd: string): string {
  return relative(cwd, PACKAGE + path);
}

function toPage(path: string, text: string): DocsPage {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const [, also = ""] = /^<!-- also: (.+) -->$/m.exec(text) ?? [];
  return { path, title: plain(title), about: firstSentence(text), also, text };
}

function toEntry({ path, title }: DocsPage, text: string): DocsPage {
  const name = plain(text.split("\n", 1)[0] ?? "");
  const anchor = name.toLowerCase().replaceAll(/[^\w-]/g, "");
  const about = firstSentence(text.slice(text.indexOf("\n")));
  return { path: `${path}#${anchor}`, title: `${name} (${title})`, about, also: "", text };
}

/** First sentence of the first paragraph that is prose. */
function firstSentence(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map((one) => one.trimEnd());
  const prose = paragraphs.find((one) => /^\n*[\w`"([]/.test(one)) ?? "";
  return plain(prose.trim().replaceAll("\n", " ")).replace(/([.?!])\s.*$/s, "$1");
}

/** Text without backticks, and links as their labels. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
}
