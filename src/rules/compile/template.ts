import type { SecretName } from "./secret-names.ts";
import type { ExpressionFault, Expression, Evaluated } from "./expression.ts";
import type { Json } from "../../protocol/json.ts";
import { jsonOf, type View } from "../decide/view.ts";

/** Text with expressions in it, ready to be filled in. */
export interface TextTemplate {
  readonly source: string;
  readonly expressions: readonly Expression[];
  /** Secrets that it reads, placed within `source`. */
  readonly secrets: readonly SecretName[];
  /** The text, every expression replaced once: what one gives is not read again. */
  readonly render: (view: View) => Evaluated<string>;
  /** As `render`, but what is wholly one expression keeps its type. */
  readonly value: (view: View) => Evaluated<Json>;
}

/** Compiles one expression; the faults of one that is wrong. */
export type CompileExpression = (
  source: string,
) => Expression | { readonly faults: readonly ExpressionFault[] };

/** Compiles text with `${{ }}` in it. Faults are placed within `source`. */
export function compileTemplate(
  source: string,
  compile: CompileExpression,
): TextTemplate | { readonly faults: readonly ExpressionFault[] } {
  const { pieces, faults, secrets } = split(source, compile);
  if (faults.length > 0) return { faults };
  const only = pieces.length === 1 ? pieces[0] : undefined;
  const render = (view: View) => rendered(pieces, view);
  return {
    source,
    secrets,
    expressions: pieces.filter((piece) => typeof piece !== "string"),
    render,
    value: (view) => {
      if (only === undefined || typeof only === "string") return render(view);
      const outcome = only.evaluate(view);
      return outcome.ok ? { ok: true, value: jsonOf(outcome.value) } : outcome;
    },
  };
}

type Piece = string | Expression;

function split(
  source: string,
  compile: CompileExpression,
): { pieces: Piece[]; faults: ExpressionFault[]; secrets: SecretName[] } {
  const secrets: SecretName[] = [];
  const pieces: Piece[] = [];
  const faults: ExpressionFault[] = [];
  let from = 0;
  for (let open = source.indexOf("${{"); open >= 0; open = source.indexOf("${{", from)) {
    if (open > from) pieces.push(source.slice(from, open));
    const close = closingOf(source, open + 3);
    if (close < 0) {
      const mistake = {
        code: "expression-not-closed",
        message: '"${{" has no "}}"',
        help: "add }}",
      };
      faults.push({ mistake, offset: open, length: 3 });
      return { pieces, faults, secrets };
    }
    const inner = source.slice(open + 3, close);
    const lead = inner.length - inner.trimStart().length;
    const start = open + 3 + lead;
    const compiled = compile(inner.trim());
    if ("faults" in compiled) {
      for (const fault of compiled.faults) {
        faults.push({ ...fault, offset: fault.offset + start });
      }
    } else {
      for (const one of compiled.secrets) secrets.push({ ...one, offset: one.offset + start });
      pieces.push(compiled);
    }
    from = close + 2;
  }
  if (from < source.length) pieces.push(source.slice(from));
  return { pieces, faults, secrets };
}

/** Where `}}` stands outside any string of the expression. */
function closingOf(source: string, from: number): number {
  const tokens = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\}\}/g;
  tokens.lastIndex = from;
  for (let token = tokens.exec(source); token; token = tokens.exec(source)) {
    if (token[0] === "}}") return token.index;
  }
  return -1;
}

function rendered(pieces: readonly Piece[], view: View): Evaluated<string> {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const outcome = piece.evaluate(view);
    if (!outcome.ok) return outcome;
    text += textOf(outcome.value);
  }
  return { ok: true, value: text };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const json = jsonOf(value);
  return json === null ? "" : typeof json === "string" ? json : JSON.stringify(json);
}
