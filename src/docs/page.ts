import { anchorOf } from "./links.ts";

/** A documentation page, or a file to which the documentation links. */
export interface DocsText {
  /** Path of the file, relative to the folder of the npm package. */
  readonly path: string;
  readonly text: string;
}

/** Page of the documentation, or one entry of a reference page. */
export interface DocsPage extends DocsText {
  /** Path in the package, with the anchor of an entry: `config/reference/steps.md#ask`. */
  readonly path: string;
  readonly title: string;
  /** First sentence of the page. */
  readonly about: string;
  /** Further search words for the page: the comment `also:` below its title. */
  readonly also: string;
}

/** Returns the page of a text. For a reference page, its entries follow as further pages. */
export function toPages({ path, text }: DocsText): readonly [DocsPage, ...DocsPage[]] {
  if (!path.startsWith("config/reference/")) return [toPage(path, text)];
  const [head = "", ...entries] = text.split(/^### /m);
  const page = toPage(path, head);
  return [page, ...entries.map((entry) => toEntry(page, entry))];
}

function toPage(path: string, text: string): DocsPage {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const [, also = ""] = /^<!-- also: (.+) -->$/m.exec(text) ?? [];
  return { path, title: plain(title), about: firstSentence(text), also, text };
}

function toEntry({ path, title }: DocsPage, text: string): DocsPage {
  const name = plain(text.split("\n", 1)[0] ?? "");
  const about = firstSentence(text.slice(text.indexOf("\n")));
  return { path: `${path}#${anchorOf(name)}`, title: `${name} (${title})`, about, also: "", text };
}

/** First sentence of the first paragraph that is prose. */
function firstSentence(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map((one) => one.trimEnd());
  const prose = paragraphs.find((one) => /^\n*[\w`"([]/.test(one)) ?? "";
  return plain(prose.trim().replaceAll("\n", " ")).replace(SENTENCE, "$1");
}

/** Pattern for *words that the bot sends*, without the asterisk at their end. */
const QUOTED = String.raw`(?<![\w*])\*(?=[\p{L}\p{N}])[^*]+`;
/** The first sentence, then the rest. Quoted words may end the sentence, but it does not end within them. */
const SENTENCE = new RegExp(
  String.raw`^((?:${QUOTED}\*|(?!${QUOTED}\*).)*?(?:[.?!]|${QUOTED}[.?!]\*(?=\s+\p{Lu})))\s.*$`,
  "su",
);

/** Removes backticks, and replaces links by their labels. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
}
