import { type HTMLElement, parse } from "node-html-parser";
import { describe, expect, it } from "vitest";
import { contentsOf } from "../../src/docs/contents.ts";
import { readDocs } from "../../src/docs/read-docs.ts";
import { rendered } from "../../src/console/page/pages/docs/render.ts";

/** Parses HTML. Elements in blocks of code are parsed too. */
const elementsOf = (html: string): HTMLElement => parse(html, { blockTextElements: {} });

const ADDRESS = /^\/docs\/([^#]+)(?:#(.+))?$/;

describe("a page of the documentation in the console", () => {
  it("links to existing pages, files and headings", async () => {
    const pages = new Map(
      (await readDocs()).map((text) => [text.path, elementsOf(rendered(text))] as const),
    );
    const anchorsIn = (path: string) =>
      pages
        .get(path)
        ?.querySelectorAll("[id]")
        .map(({ id }) => id) ?? [];
    const links = [...pages].flatMap(([path, page]) =>
      page.querySelectorAll("a").map((link) => [path, link.getAttribute("href") ?? ""] as const),
    );
    const dead = links.filter(([, href]) => {
      if (/^https?:/.test(href)) return false;
      const [, path = "", anchor] = ADDRESS.exec(href) ?? [];
      return !pages.has(path) || (anchor !== undefined && !anchorsIn(path).includes(anchor));
    });

    expect(links.length).toBeGreaterThan(300);
    expect(dead).toEqual([]);
  });

  it("is listed in a group, as the overviews group their pages", async () => {
    const texts = await readDocs();
    const groups = contentsOf(texts);
    const listed = new Set(groups.flatMap(({ pages }) => pages.map(({ path }) => path)));
    const missing = texts.filter(({ path }) => path.endsWith(".md") && !listed.has(path));

    expect(groups.map(({ title }) => title)).toEqual([
      "Begin",
      "Write rules",
      "Operate a bot",
      "Look something up",
      "Guide of bots in TypeScript",
      "Examples",
      "Versions and security",
    ]);
    expect(missing.map(({ path }) => path)).toEqual(["examples/README.md"]);
  });

  it("has the anchors of equal headings, and no comments", () => {
    const html = rendered({
      path: "x.md",
      text: "# A `b`\n\n<!-- also: c -->\n\n## Same\n\n## Same",
    });

    expect(
      elementsOf(html)
        .querySelectorAll("[id]")
        .map(({ id }) => id),
    ).toEqual(["a-b", "same", "same-1"]);
    expect(html).not.toContain("also");
  });

  it("shows markup as text, and follows no address with a script", () => {
    const html = rendered({
      path: "x.md",
      text: [
        "# <img src=x onerror=alert(1)>",
        "<script>alert(2)</script>",
        '[a](javascript:alert(3)) [b](data:text/html,x) [c](x.md"onclick="alert(4))',
        '!["><svg onload=alert(5)>](x.png)',
        '```"><svg onload=alert(6)>\n</code></pre><svg onload=alert(7)>\n```',
        "| <iframe src=//evil.invalid> |\n| --- |\n| <a href=javascript:alert(8)>d</a> |",
      ].join("\n\n"),
    });
    const dom = elementsOf(html);

    expect(
      dom.querySelectorAll("script, img, svg, iframe, [onerror], [onload], [onclick]"),
    ).toEqual([]);
    for (const link of dom.querySelectorAll("a")) {
      expect(link.getAttribute("href")).toMatch(/^\/docs\//);
    }
    expect(dom.querySelector("h1")?.text).toBe("<img src=x onerror=alert(1)>");
  });

  it("shows another file as it is", () => {
    const html = rendered({ path: "examples/x/<b>.yaml", text: "# no heading: <b>" });

    expect(elementsOf(html).querySelector("pre")?.text).toBe("# no heading: <b>");
    expect(elementsOf(html).querySelector("b")).toBeNull();
  });
});
