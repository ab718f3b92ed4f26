/** Text that is safe in a page. Only {@link html} creates it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | readonly Html[] | undefined;

/** Template tag for markup. Escapes every value except {@link Html}; `undefined` becomes empty. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = markup.map((piece, at) => piece + (at < parts.length ? rendered(parts[at]) : ""));
  return new Html(pieces.join(""));
}

function rendered(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "string") return escape(part);
  return part.map(({ text }) => text).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
