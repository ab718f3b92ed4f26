import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type HTMLElement, parse } from "node-html-parser";
import { glob } from "tinyglobby";

/** Finds links between the pages of a built site that lead to no page, or to no anchor of the page. */
export async function deadSiteLinks(folder: string): Promise<readonly string[]> {
  const paths = await glob("**/*.html", { cwd: folder, ignore: ["api/**", "404.html"] });
  const pages = await Promise.all(
    paths.map(async (path) => [path, parse(await readFile(join(folder, path), "utf8"))] as const),
  );
  const anchors = new Map(pages.map(([path, page]) => [path, anchorsOf(page)]));
  return pages.flatMap(([path, page]) =>
    page
      .querySelectorAll("a[href]")
      .map((link) => link.getAttribute("href") ?? "")
      .filter((href) => !leads(path, href, anchors))
      .map((href) => `${path}: ${href}`),
  );
}

function anchorsOf(page: HTMLElement): ReadonlySet<string> {
  return new Set(page.querySelectorAll("[id]").map(({ id }) => id));
}

const BASE = "http://site.invalid";

function leads(
  from: string,
  href: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const { origin, pathname, hash } = new URL(href, `${BASE}/${from}`);
  if (origin !== BASE || pathname.startsWith("/api/")) return true;
  const path = decodeURIComponent(pathname.slice(1)).replace(/(?<=^|\/)$/, "index.html");
  const inPage = anchors.get(path);
  return inPage !== undefined && (hash === "" || inPage.has(decodeURIComponent(hash.slice(1))));
}
