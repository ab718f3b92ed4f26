import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { glob } from "tinyglobby";
import ts from "typescript";

/** Text for a reader of the project, with its place. */
export interface HouseText {
  readonly kind: "docstring" | "line comment" | "paragraph" | "name";
  /** Path from the project's folder, with slashes. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const SYNTAX: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** Returns the paths of all TypeScript files and documents of the project, in order. */
export async function pathsOfTexts(project: string): Promise<readonly string[]> {
  const sources = await glob("{src,test,bots,examples}/**/*.{ts,tsx}", {
    cwd: project,
    ignore: ["**/node_modules/**", "test/fixtures/**"],
  });
  const documents = await glob(["*.md", "{src,config,bots,examples,test}/**/*.md"], {
    cwd: project,
    ignore: ["**/node_modules/**"],
  });
  return [...sources, ...documents].sort();
}

/** Reads comments and declared names of TypeScript files, and paragraphs of documents. */
export async function readTexts(
  project: string,
  paths: readonly string[],
): Promise<readonly HouseText[]> {
  const texts = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(project, path), "utf8");
      return path.endsWith(".md") ? paragraphsOf(path, text) : textsOfSource(path, text);
    }),
  );
  return texts.flat();
}

/** Returns comments and declared names of one source file; a run of line comments is one text. */
export function textsOfSource(path: string, text: string): readonly HouseText[] {
  const source = ts.createSourceFile(path, text, SYNTAX, true);
  const comments = new Map<number, ts.CommentRange>();
  const names: HouseText[] = [];
  const lineOf = (position: number): number =>
    source.getLineAndCharacterOfPosition(position).line + 1;
  const collect = (ranges: readonly ts.CommentRange[] = []): void => {
    for (const range of ranges) comments.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    if (!isJsx(node)) {
      collect(ts.getLeadingCommentRanges(text, node.pos));
      collect(ts.getTrailingCommentRanges(text, node.end));
    }
    const name = declaredName(node);
    if (name !== undefined) {
      names.push({ kind: "name", path, line: lineOf(node.getStart(source)), text: name });
    }
    ts.forEachChild(node, visit, (nodes) => {
      for (const child of nodes) visit(child);
      // The bracket after a list is no node of the tree: comments before it belong to the end of the list.
      if (node.kind !== ts.SyntaxKind.JsxElement)
        collect(ts.getLeadingCommentRanges(text, nodes.end));
    });
  };
  visit(source);
  const texts: HouseText[] = [];
  let end = -1;
  for (const { pos, end: commentEnd, kind } of [...comments.values()].sort(
    (a, b) => a.pos - b.pos,
  )) {
    const raw = text.slice(pos, commentEnd);
    const line = lineOf(pos);
    if (kind === ts.SyntaxKind.MultiLineCommentTrivia) {
      if (!raw.startsWith("/**")) continue;
      texts.push({ kind: "docstring", path, line, text: plainDocstring(raw) });
      continue;
    }
    const words = raw.replace(/^\/\/+\s?/, "").trimEnd();
    const before = texts.at(-1);
    const isNext = before?.kind === "line comment" && text.slice(end, pos).trim() === "";
    if (isNext && !text.slice(end, pos).includes("\n\n")) {
      texts[texts.length - 1] = { ...before, text: `${before.text} ${words}` };
    } else texts.push({ kind: "line comment", path, line, text: words });
    end = commentEnd;
  }
  return [...texts.filter((one) => !isMark(one.text)), ...names];
}

/** Returns the prose paragraphs of a document: no headings, tables, code or generated sections. */
export function paragraphsOf(path: string, text: string): readonly HouseText[] {
  const paragraphs: HouseText[] = [];
  let isCode = false;
  let isGenerated = false;
  let paragraph: { line: number; words: string[] } | undefined;
  const close = (): void => {
    if (paragraph !== undefined) {
      const { line, words } = paragraph;
      paragraphs.push({ kind: "paragraph", path, line, text: words.join(" ") });
    }
    paragraph = undefined;
  };
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (/<!-- [\w-]+:begin -->/.test(line)) isGenerated = true;
    if (/<!-- [\w-]+:end -->/.test(line)) isGenerated = false;
    const isProse = !isCode && !isGenerated && !/^(\s*```|#|\||<!--| {4}\S|---$)/.test(line);
    if (!isProse || line.trim() === "") {
      close();
      continue;
    }
    const item = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
    if (item !== null) close();
    paragraph ??= { line: index + 1, words: [] };
    paragraph.words.push((item?.[1] ?? line).trim());
  }
  close();
  return paragraphs;
}

/** Whether a node is JSX, in which slashes are text of a page. */
function isJsx({ kind }: ts.Node): boolean {
  return (
    (kind >= ts.SyntaxKind.JsxElement && kind <= ts.SyntaxKind.JsxNamespacedName) ||
    kind === ts.SyntaxKind.JsxText
  );
}

/** Whether a text is for tools, such as `@module-tag` or an address. */
function isMark(text: string): boolean {
  return (
    text === "" ||
    /^(@module-tag|\/ <reference|eslint|oxlint|https?:|#region|#endregion|<\/?settings>)/.test(text)
  );
}

function plainDocstring(raw: string): string {
  return raw
    .replace(/^\/\*\*+/, "")
    .replace(/\*+\/$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())
    .join("\n")
    .trim();
}

function declaredName(node: ts.Node): string | undefined {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodSignature(node);
  if (!isDeclaration || node.name === undefined) return undefined;
  if (!ts.isIdentifier(node.name)) return undefined;
  return isLeftOperand(node) ? undefined : node.name.text;
}

/** Whether the name `left` is that of an operand, a child or a column, because there is a `right` beside it. */
function isLeftOperand(node: ts.NamedDeclaration): boolean {
  const isNamed = (one: ts.Node, text: string): boolean =>
    "name" in one &&
    ts.isIdentifier(one.name as ts.Node) &&
    (one.name as ts.Identifier).text === text;
  if (!isNamed(node, "left")) return false;
  return ts.forEachChild(node.parent, (child) => isNamed(child, "right") || undefined) ?? false;
}
