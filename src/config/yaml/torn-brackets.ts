import type { YAMLParseError } from "yaml";
import { covered, shortened, type Torn, trap } from "./torn.ts";
import { COLON_IN_TEXT, cutText, quoted } from "./torn-text.ts";
import { beginningOf, type Line, lineEnd, openAtEnd } from "./yaml-lines.ts";

/** Finds a `#` within { } or [ ]: YAML reads the rest of the line, with the closing bracket, as a comment. */
export function cutInBrackets(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  for (const line of up) {
    const { brackets, comment } = openAtEnd(line.text);
    const [closers = ""] = /[}\]\s]*$/.exec(line.text) ?? [];
    if (comment === undefined || brackets.length === 0 || !/[}\]]/.test(closers)) continue;
    const cut = line.text.slice(comment, line.text.length - closers.length);
    const keptText = /(?:[{[,]|: )\s*([^{}[\],:]*)$/.exec(line.text.slice(0, comment))?.[1] ?? "";
    const start = line.start + comment;
    const before = keptText.trim();
    return covered(start, start + cut.length, cutText(before, `${before} ${cut}`.trim()));
  }
  return undefined;
}

/** Finds an unquoted `${{ … }}` within { } or [ ]: YAML misreads the braces of the expression as a map. */
export function expressionInBrackets(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const expressionMatch = /(?<!["'].*)[^\s{[,:]*\$\{\{.*?\}\}[^\s},\]]*/.exec(line?.text ?? "");
  if (!line || !expressionMatch || !/[{[]/.test(line.text.slice(0, expressionMatch.index)))
    return undefined;
  const start = line.start + expressionMatch.index;
  return covered(start, start + expressionMatch[0].length, {
    code: "unquoted-expression",
    message: "${{ }} inside { } or [ ] must be quoted",
    help: `quote it: ${quoted(expressionMatch[0])}`,
  });
}

export function colonInBrackets(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const entryMatch = /([{,]\s*[\w.]+: +)([^{}[\],"'\s][^{}[\],]*?: [^{}[\],]*)/.exec(
    line?.text ?? "",
  );
  if (!line || !entryMatch?.[2]) return undefined;
  const value = entryMatch[2].trimEnd();
  const start = line.start + entryMatch.index + (entryMatch[1]?.length ?? 0);
  return covered(start, start + value.length, {
    ...COLON_IN_TEXT,
    help: `quote the text: ${JSON.stringify(value)}`,
  });
}

export function closingBracket(error: YAMLParseError, text: string): Torn | undefined {
  const start = error.pos[0];
  const bracket = text[start] ?? "";
  if (bracket !== "}" && bracket !== "]") return undefined;
  if (!error.message.toLowerCase().includes("unexpected")) return undefined;
  return {
    ...trap(start, start + 1, {
      code: "bracket-too-many",
      message: `this ${bracket} has no opening bracket`,
      help: `remove the ${bracket}, or quote the text that it belongs to`,
    }),
    cover: { start, end: start + 1, fill: " " },
  };
}

export function openBracket(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  if (!/flow (map|sequence|collection)|expected flow/i.test(error.message)) return undefined;
  for (const line of up) {
    const at = openAtEnd(line.text).brackets.at(-1);
    if (at === undefined) continue;
    const start = line.start + at;
    const closing = line.text[at] === "{" ? "}" : "]";
    const below = insideTooFarLeft(line, text, closing);
    if (below !== undefined) return below;
    const rest = line.text.slice(at).trimEnd();
    return trap(start, start + 1, {
      code: "bracket-not-closed",
      message: `this ${line.text[at] ?? ""} has no ${closing}`,
      help: `close it: ${shortened(rest)}${closing}`,
    });
  }
  return undefined;
}

/** Explains why a line below `{` or `[` does not belong to it, although the closing bracket follows. */
function insideTooFarLeft(line: Line, text: string, closing: string): Torn | undefined {
  const start = lineEnd(text, line.start) + 1;
  const next = text.slice(start, lineEnd(text, start));
  const indent = next.length - next.trimStart().length;
  const own = beginningOf(line.text);
  if (!own || indent > own.inner) return undefined;
  if (!new RegExp(`^\\s*\\${closing}`, "m").test(text.slice(start))) return undefined;
  return trap(start + indent, start + next.trimEnd().length, {
    code: "mis-indented",
    message: `this line is too far to the left for the bracket in line ${line.number}`,
    help: `start it in column ${own.inner + 3}`,
  });
}
