import type MarkdownIt from "markdown-it";
import { anchorOf, targetOf } from "../../docs/links.ts";
import { siteSearch } from "./site-search.ts";
import { addressOf, readSiteTexts, sourceOf } from "./site-texts.ts";

export interface SiteFolders {
  /** Folder of the pages' sources. */
  readonly input: string;
  /** Folder of the built site. */
  readonly output: string;
  /** Whether the API reference has been built into the site. */
  readonly hasApi: boolean;
}

/**
 * Returns the configuration of the site's generator, VitePress.
 *
 * The result does not use VitePress's TypeScript types: they declare the globals of browsers, which would change the
 * type of `fetch` in this project.
 */
export async function siteConfig({ input, output, hasApi }: SiteFolders) {
  const siteTexts = await readSiteTexts();
  const sources = new Map(siteTexts.texts.map(({ path }) => [sourceOf(path), path]));
  const api = { text: "API", link: "/api/index.html", target: "_self" };
  return {
    outDir: output,
    base: "./",
    lang: "en",
    title: "Answerback",
    description: "Chat bots on X: rules in YAML, bots in TypeScript, and a sandbox",
    head: [["style", {}, STYLE]],
    markdown: {
      // The pages are written for GitHub: extensions of Markdown would render some of their text differently.
      html: false,
      linkify: false,
      attrs: false,
      emoji: false,
      container: false,
      include: false,
      snippet: false,
      toc: false,
      anchor: { slugify: anchorOf },
      languageAlias: { caddy: "nginx" },
      config: (md: MarkdownIt): void => {
        linkToSitePages(md, sources);
        showMustaches(md);
        frameCommands(md);
      },
    },
    themeConfig: {
      search: { provider: "local", options: siteSearch(siteTexts, input) },
      nav: [
        { text: "Rules and operating", link: addressOf("config/README.md") },
        { text: "TypeScript", link: addressOf("bots/README.md") },
        { text: "Examples", link: addressOf("examples/README.md") },
        ...(hasApi ? [api] : []),
        { text: "Changelog", link: addressOf("CHANGELOG.md") },
      ],
      sidebar: siteTexts.groups.map(({ title, pages }, index) => ({
        text: title,
        collapsed: index > 1,
        items: pages.map(({ path, title: text }) => ({ text, link: addressOf(path) })),
      })),
      outline: [2, 3],
    },
  };
}

/** Narrower cells: the tables of the reference have up to five columns. */
const STYLE = ".vp-doc :is(td, th) { padding: 6px 10px; font-size: 13px; line-height: 20px; }";

/** Renders indented blocks (commands and their output) like other blocks of code. */
function frameCommands(md: MarkdownIt): void {
  md.core.ruler.push("frames", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === "code_block") Object.assign(token, { type: "fence", markup: "```" });
    }
  });
}

/** Makes links to files of the package lead to the pages that show them. */
function linkToSitePages(md: MarkdownIt, sources: ReadonlyMap<string, string>): void {
  md.core.ruler.push("site-pages", ({ tokens, env }) => {
    const source = sources.get(env.relativePath);
    if (source === undefined) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet("href");
      if (token.type !== "link_open" || href === null || href.startsWith("#")) continue;
      const target = targetOf(source, href);
      if (target !== undefined) token.attrSet("href", addressOf(target.path) + target.anchor);
    }
  });
}

/** Keeps the generator's templates from evaluating `{{` in a page's text. */
function showMustaches(md: MarkdownIt): void {
  const shown = (content = ""): string =>
    md.utils.escapeHtml(content).replaceAll("{{", "&#123;&#123;");
  md.renderer.rules["text"] = (tokens, index) => shown(tokens[index]?.content);
  md.renderer.rules["code_inline"] = (tokens, index) =>
    `<code>${shown(tokens[index]?.content)}</code>`;
}
