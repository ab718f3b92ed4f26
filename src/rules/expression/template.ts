import type { SecretName } from "./secret-names.ts";
import type { Expression, Evaluated } from "./expression.ts";
import type { ExpressionFault } from "./expression-fault.ts";
import type { Json } from "../../protocol/json.ts";
import { MAX_VALUE } from "./value-size.ts";
import { isJsonValue, jsonOf, longIntegerIn, type View } from "./view.ts";
import { seen } from "./seen-text.ts";

/** Compiled text with expressions. */
export interface TextTemplate {
  readonly source: string;
  /** CEL type of `value`: for a single expression, the type of its value after storage as JSON; otherwise `string`. */
  readonly type: string;
  readonly expressions: readonly Expression[];
  /** Texts and expressions of the template, in order. */
  readonly pieces: readonly Piece[];
  /** Secrets that the template reads, with offsets within `source`. */
  readonly secrets: readonly SecretName[];
  /** Renders the text. Each expression is replaced once; its result is not parsed for expressions. */
  render(view: View): Evaluated<string>;
  /** Evaluates the template like `render`, but keeps the type of a value that is a single expression. */
  value(view: View): Evaluated<Json>;
  /**
   * Evaluates the template like `value`, for a place that does not record the type. Fails for an integer beyond 2^53,
   * which would be read as a text.
   */
  stored(view: View): Evaluated<Json>;
}

/** Compiles one expression at the offset `start` of the text. */
export type CompileExpression = (
  source: string,
  start: number,
) => Expression | { readonly faults: readonly ExpressionFault[] };

/** Use of a template's value: a text to show, or data to store. Some data, such as a map, can't be shown as text. */
export type TemplateUse = "text" | "data";

/** Compiles a text with `${{ }}`. Faults have offsets within `source`. */
export function compileTemplate(
  source: string,
  compile: CompileExpression,
  use: TemplateUse = "text",
): TextTemplate | { readonly faults: readonly ExpressionFault[] } {
  const { pieces, places, faults, secrets } = split(source, compile);
  if (faults.length > 0) return { faults };
  const isData = use === "data" && pieces.length === 1;
  const unshown = places.flatMap((place) => notShown(place, isData) ?? []);
  return unshown.length > 0 ? { faults: unshown } : new Template(source, pieces, secrets);
}

class Template implements TextTemplate {
  readonly source: string;
  readonly secrets: readonly SecretName[];
  readonly expressions: readonly Expression[];
  readonly pieces: readonly Piece[];

  constructor(source: string, pieces: readonly Piece[], secrets: readonly SecretName[]) {
    this.source = source;
    this.secrets = secrets;
    this.expressions = pieces.filter((piece) => typeof piece !== "string");
    this.pieces = pieces;
  }

  get type(): string {
    const whole = this.#whole;
    return whole === undefined ? "string" : keptType(whole.type);
  }

  render(view: View): Evaluated<string> {
    return rendered(this.pieces, view);
  }

  value(view: View): Evaluated<Json> {
    const whole = this.#whole;
    return whole === undefined ? this.render(view) : asJson(whole, whole.evaluate(view));
  }

  stored(view: View): Evaluated<Json> {
    const whole = this.#whole;
    if (whole === undefined) return this.render(view);
    const outcome = whole.evaluate(view);
    const integer = outcome.ok ? longIntegerIn(outcome.value) : undefined;
    return integer === undefined ? asJson(whole, outcome) : { ok: false, error: tooLong(integer) };
  }

  /** The expression, if the template consists of nothing else. */
  get #whole(): Expression | undefined {
    const [only, second] = this.pieces;
    return second !== undefined || typeof only === "string" ? undefined : only;
  }
}

function asJson({ source }: Expression, outcome: Evaluated<unknown>): Evaluated<Json> {
  if (!outcome.ok) return outcome;
  const { value } = outcome;
  return isJsonValue(value) ? { ok: true, value: jsonOf(value) } : cannotShow(source);
}

function tooLong(integer: bigint): string {
  return `${integer} is past ${Number.MAX_SAFE_INTEGER}, the largest integer that can be stored`;
}

/** Returns the CEL type of a value after storage as JSON: a time becomes a text. */
function keptType(type: string): string {
  if (type === "google.protobuf.Timestamp") return "string";
  return /^(?:bool|string|int|double|list<(?:bool|string|int|double)>)$/.test(type) ? type : "dyn";
}

/** Part of a template: literal text, or an expression. */
type Piece = string | Expression;

interface Place {
  readonly expression: Expression;
  readonly offset: number;
}

function split(
  source: string,
  compile: CompileExpression,
): { pieces: Piece[]; places: Place[]; faults: ExpressionFault[]; secrets: SecretName[] } {
  const secrets: SecretName[] = [];
  const pieces: Piece[] = [];
  const places: Place[] = [];
  const faults: ExpressionFault[] = [];
  let from = 0;
  for (const { open, close, end } of expressionPlaces(source)) {
    if (open > from) pieces.push(source.slice(from, open));
    if (close < 0) {
      const mistake = {
        code: "expression-not-closed",
        message: '"${{" has no "}}"',
        help: "add }}",
      };
      faults.push({ mistake, offset: open, length: 3 });
      return { pieces, places, faults, secrets };
    }
    const inner = source.slice(open + 3, close);
    const lead = inner.length - inner.trimStart().length;
    const start = open + 3 + lead;
    const compiled = compile(inner.trim(), start);
    if ("faults" in compiled) {
      for (const fault of compiled.faults) {
        faults.push({ ...fault, offset: fault.offset + start });
      }
    } else {
      for (const one of compiled.secrets) secrets.push({ ...one, offset: one.offset + start });
      pieces.push(compiled);
      places.push({ expression: compiled, offset: start });
    }
    from = end;
  }
  if (from < source.length) pieces.push(source.slice(from));
  return { pieces, places, faults, secrets };
}

/** Replaces each `${{ }}` of a text by as many NUL characters, so that offsets stay the same. */
export function withoutExpressions(source: string): string {
  let literal = "";
  let from = 0;
  for (const { open, end } of expressionPlaces(source)) {
    literal += source.slice(from, open) + "\0".repeat(end - open);
    from = end;
  }
  return literal + source.slice(from);
}

/** Place of a `${{ }}` in a text, as offsets. */
interface ExpressionPlace {
  readonly open: number;
  /** Offset of the `}}`; -1 if there is none. */
  readonly close: number;
  /** Offset after the `}}`, or the end of the text. */
  readonly end: number;
}

/** Finds each `${{ }}` of a text. */
export function expressionPlaces(source: string): readonly ExpressionPlace[] {
  const places: ExpressionPlace[] = [];
  for (let open = source.indexOf("${{"); open >= 0;) {
    const close = closingOf(source, open + 3);
    const end = close < 0 ? source.length : close + 2;
    places.push({ open, close, end });
    open = source.indexOf("${{", end);
  }
  return places;
}

/**
 * Returns the index of the `}}` that ends an expression, outside of its strings and maps; -1 if there is none. If a map
 * has no end, it is the first `}}` outside of strings.
 */
function closingOf(source: string, from: number): number {
  const tokens = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\$\{\{|[{}]/g;
  tokens.lastIndex = from;
  let depth = 0;
  let first = -1;
  for (let token = tokens.exec(source); token; token = tokens.exec(source)) {
    const { index } = token;
    if (token[0] === "${{" && first >= 0) return first;
    if (token[0] === "{") depth += 1;
    if (token[0] !== "}") continue;
    const isPair = source[index + 1] === "}";
    if (isPair && depth === 0) return index;
    if (isPair && first < 0) first = index;
    depth = Math.max(0, depth - 1);
  }
  return first;
}

/** CEL types of values that can't be inserted into a text. `NO_DATA`: types of values that can't be stored. */
const NO_TEXT = /^(?:type|bytes|map<.*|optional<.*|.*_fields|google\.protobuf\.Duration)$/;
const NO_DATA = /^(?:type|bytes|optional<.*|google\.protobuf\.Duration)$/;

function notShown({ expression, offset }: Place, isData: boolean): ExpressionFault | undefined {
  const { source, type } = expression;
  if (!(isData ? NO_DATA : NO_TEXT).test(type)) return undefined;
  const what = type.startsWith("optional<")
    ? "something that may be absent"
    : type === "type" || type === "bytes" || type.endsWith("Duration")
      ? `a ${type.split(".").at(-1)?.toLowerCase()}`
      : "a map";
  const help = type.startsWith("optional<")
    ? "add a default:  .orValue(…)"
    : type.endsWith("Duration")
      ? "write its hours, minutes or seconds, as  duration(…).getMinutes()"
      : type === "bytes"
        ? "convert it with string(…)"
        : "name one of its fields";
  const mistake = { code: "not-showable", message: `this gives ${what}, not a text`, help };
  return { mistake, offset, length: source.length };
}

function rendered(pieces: readonly Piece[], view: View): Evaluated<string> {
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    const shown = shownValue(piece, view);
    if (!shown.ok) return shown;
    text += shown.value;
    if (text.length > MAX_VALUE) {
      return { ok: false, error: `the text is longer than ${MAX_VALUE} characters` };
    }
  }
  return { ok: true, value: text };
}

/** Evaluates an expression as text. */
export function shownValue(expression: Expression, view: View): Evaluated<string> {
  const outcome = expression.evaluate(view);
  if (!outcome.ok) return outcome;
  const value = textOf(outcome.value);
  return value === undefined ? cannotShow(expression.source) : { ok: true, value };
}

function cannotShow(what: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `${what} gives nothing that can be shown` };
}

/**
 * Formats a value for people, with commas between items of a list and without control characters for terminals or text
 * direction. Returns `undefined` if the value has no text form.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return seen(value);
  if (Array.isArray(value)) {
    const parts = value.map((one: unknown) => (Array.isArray(one) ? undefined : textOf(one)));
    return parts.every((part) => part !== undefined) ? parts.join(", ") : undefined;
  }
  if (value === null) return "";
  if (typeof value === "number" && !Number.isFinite(value)) return undefined;
  const json = value instanceof Uint8Array ? undefined : jsonOf(value);
  if (typeof json === "string") return json;
  // binary decimals keep 15 digits: 0.1 + 0.2 is shown as 0.3
  if (typeof json === "number") {
    return String(Number.isInteger(json) ? json : Number(json.toPrecision(15)));
  }
  return typeof json === "boolean" ? String(json) : undefined;
}
