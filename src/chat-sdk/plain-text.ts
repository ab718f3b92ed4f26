import {
  BaseFormatConverter,
  type CardChild,
  type CardElement,
  cardChildToFallbackText,
  getNodeChildren,
  isLinkNode,
  isListNode,
  isTableNode,
  paragraph,
  root,
  tableToAscii,
  text,
} from "chat";

type Root = Parameters<BaseFormatConverter["fromAst"]>[0];
type Node = ReturnType<typeof getNodeChildren>[number];

/** Converter to plain text, the platform's only format. Texts by people are never interpreted as markdown. */
class PlainText extends BaseFormatConverter {
  toAst(written: string): Root {
    const parts = written.split(/\n{2,}/).filter((part) => part !== "");
    return root(parts.map((part) => paragraph([text(part)])));
  }

  fromAst(ast: Root): string {
    return this.fromAstWithNodeConverter(ast, (node) => this.#textOf(node));
  }

  override cardToFallbackText(card: CardElement): string {
    const { title, subtitle, children } = card;
    return [title, subtitle, ...children.map(textOfChild)]
      .filter((line) => line !== undefined && line !== null && line !== "")
      .join("\n");
  }

  #textOf(node: Node): string {
    const textOf = (child: Node): string => this.#textOf(child);
    if (isLinkNode(node) || node.type === "image") {
      const label = node.type === "image" ? node.alt : getNodeChildren(node).map(textOf).join("");
      return !label || label === node.url ? node.url : `${label} (${node.url})`;
    }
    if (isListNode(node)) return this.renderList(node, 0, textOf, "•");
    if (isTableNode(node)) return tableToAscii(node);
    if (node.type === "break") return "\n";
    if (node.type === "thematicBreak") return "---";
    return this.defaultNodeToText(node, textOf);
  }
}

/** Text of a card's child. Link buttons become links. Buttons with a callback are dropped: text can't be pressed. */
function textOfChild(child: CardChild): string | null {
  if (child.type === "section") {
    return child.children
      .map(textOfChild)
      .filter((line) => line !== null)
      .join("\n");
  }
  if (child.type === "text") return PLAIN_TEXT.fromMarkdown(child.content);
  if (child.type === "link") return labelled(child.label, child.url);
  if (child.type === "image") return child.url;
  if (child.type !== "actions") return cardChildToFallbackText(child);
  const links = child.children.flatMap((element) =>
    element.type === "link-button" ? [labelled(element.label, element.url)] : [],
  );
  return links.length === 0 ? null : links.join("\n");
}

function labelled(label: string, url: string): string {
  return label === "" || label === url ? url : `${label}: ${url}`;
}

/** Converter between Chat SDK content and the platform's plain text. */
export const PLAIN_TEXT = new PlainText();
