import type { Mistake } from "../../../config/problem.ts";
import type { Evaluated, Expression } from "../../expression/expression.ts";
import { shownValue, type TextTemplate } from "../../expression/template.ts";
import { MAX_VALUE } from "../../expression/value-size.ts";
import type { View } from "../../expression/view.ts";

/** Matches a URL up to the end of its host, with the first character of its path, query or fragment. */
const WHOLE_HOST = /^https?:\/\/[^/?#\\]+[/?#]/i;
/** Roots of expressions whose values only the operator sets: `secrets.TOKEN`. Others may have a person's text. */
const OPERATORS: ReadonlySet<string> = new Set(["secrets", "inputs"]);
/** Placeholder for a value that the operator did not set, to check that the value adds no path segment. */
const HOLE = "\0";

/** Returns the error about a URL whose scheme or host may come from an event; undefined if neither can. */
export function hostMistake({ pieces }: TextTemplate): Mistake | undefined {
  let before = "";
  for (const piece of pieces) {
    if (typeof piece === "string") before += piece;
    else if (isOperators(piece)) before += before === "" ? "https://x" : "x";
    else if (!WHOLE_HOST.test(before)) {
      return {
        code: "http-host",
        message: `the scheme or the host of this URL comes from ${piece.source}, which a person may write`,
        help: "write the host, and a slash after it:  https://HOST/${{ … }}",
      };
    }
  }
  return undefined;
}

/**
 * Renders a URL. A value can't leave its place: one path segment, or one part of the query. Values are percent-encoded unless
 * `url(…)` has encoded them; values of the operator are inserted unchanged.
 */
export function renderUrl({ pieces, source }: TextTemplate, view: View): Evaluated<string> {
  let text = "";
  let shape = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      shape += piece;
      continue;
    }
    const shown = shownValue(piece, view);
    if (!shown.ok) return shown;
    if (isOperators(piece)) {
      text += shown.value;
      shape += shown.value.replaceAll(HOLE, "");
      continue;
    }
    if (!WHOLE_HOST.test(text)) {
      return wrong(`the scheme or the host of ${source} would come from ${piece.source}`);
    }
    text += isEncoded(piece) ? shown.value : encoded(shown.value);
    shape += HOLE;
  }
  if (text.length > MAX_VALUE) return wrong(`the text is longer than ${MAX_VALUE} characters`);
  const written = segmentsOf(shape);
  const leaves = segmentsOf(text).some(
    (segment, index) => written[index]?.includes(HOLE) === true && hasDots(segment),
  );
  return leaves
    ? wrong(`a value in the path of ${source} is "." or "..", which names another path`)
    : { ok: true, value: text };
}

/** Returns whether only the operator sets the value of an expression. */
export function isOperators({ roots }: Expression): boolean {
  return [...roots].every((root) => OPERATORS.has(root));
}

/** Returns whether an expression is a call of `url(…)`, so that its value is encoded. */
export function isEncoded({ ast }: Expression): boolean {
  return ast.op === "call" && ast.args[0] === "url";
}

function encoded(value: string): string {
  return encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

function segmentsOf(url: string): readonly string[] {
  return url.replace(/[?#].*$/s, "").split("/");
}

/** Returns whether a path segment means "." or "..". Servers may decode repeatedly, and ignore text after a semicolon. */
function hasDots(segment: string): boolean {
  let plain = segment;
  for (let times = 0; times < MAX_DECODINGS && plain.includes("%"); times += 1) {
    plain = decoded(plain);
  }
  return plain.split(/[/\\]/).some((part) => /^\s*\.{1,2}\s*(?:;.*)?$/s.test(part));
}

const MAX_DECODINGS = 5;

function decoded(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function wrong(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error };
}
