import MarkdownIt from "markdown-it";
import type { DocsText } from "../../../../docs/page.ts";
import { anchorOf, targetOf, withoutComments } from "../../../../docs/links.ts";

/** Address of the page Docs in the console. */
export const DOCS = "/docs";

const md = new MarkdownIt({ html: false });
md.core.ruler.push("anchors", ({ tokens }) => {
  const used = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const texts = tokens[index + 1]?.children ?? [];
    const anchor = anchorOf(texts.map(({ content }) => content).join(""));
    const earlier = used.get(anchor) ?? 0;
    used.set(anchor, earlier + 1);
    token.attrSet("id", earlier === 0 ? anchor : `${anchor}-${earlier}`);
  }
});
md.core.ruler.push("links", ({ tokens, env }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== "link_open") continue;
    const href = token.attrGet("href") ?? "";
    const target = targetOf(env.path, href);
    if (target !== undefined) token.attrSet("href", `${DOCS}/${target.path}${target.anchor}`);
    else token.attrs?.push(["target", "_blank"], ["rel", "noreferrer"]);
  }
});
// Blocks that scroll sideways can take the focus, so that the arrow keys can scroll them.
md.renderer.rules["fence"] = (tokens, index) => blockOfCode(tokens[index]?.content ?? "");
md.renderer.rules["code_block"] = (tokens, index) => blockOfCode(tokens[index]?.content ?? "");
md.renderer.rules["table_open"] = () => '<div class="scrolls" tabindex="0"><table>';
md.renderer.rules["table_close"] = () => "</table></div>";
// Pictures are replaced by their alt texts, since the console's content security policy blocks pictures.
md.renderer.rules["image"] = (tokens, index) =>
  `<em>${md.utils.escapeHtml(tokens[index]?.content ?? "")}</em>`;

/** Renders a page of the documentation, or a file that it links to, as HTML. HTML in the text is escaped. */
export function rendered({ path, text }: DocsText): string {
  if (path.endsWith(".md")) return md.render(withoutComments(text), { path });
  const name = path.split("/").at(-1) ?? path;
  return `<h1>${md.utils.escapeHtml(name)}</h1>\n${blockOfCode(text)}`;
}

function blockOfCode(text: string): string {
  return `<pre tabindex="0"><code>${md.utils.escapeHtml(text)}</code></pre>\n`;
}
