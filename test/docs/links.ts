import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Finds broken links: to a missing file or folder, or to a heading that a Markdown file does not have.
 *
 * @param documents Paths of Markdown files, relative to `root`.
 */
export async function deadLinks(
  root: string,
  documents: readonly string[],
): Promise<readonly string[]> {
  const dead: string[] = [];
  for (const document of documents) {
    const text = withoutCode(await readFile(join(root, document), "utf8"));
    for (const [, path = "", anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = path === "" ? join(root, document) : join(root, dirname(document), path);
      if (!(await leads(target, anchor))) dead.push(`${document}: ${path}#${anchor ?? ""}`);
    }
  }
  return dead;
}

async function leads(path: string, anchor: string | undefined): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  if (there === undefined || anchor === undefined) return there !== undefined;
  return path.endsWith(".md") && anchorsOf(await readFile(path, "utf8")).includes(anchor);
}

/** Anchors of a document's headings, as GitHub derives them. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = ""]) => heading,
  );
  const anchors = headings.map((heading) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return anchors.map((anchor, index) => {
    const earlier = anchors.slice(0, index).filter((one) => one === anchor).length;
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
}

/** Text without its blocks of code. */
function withoutCode(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");
}
