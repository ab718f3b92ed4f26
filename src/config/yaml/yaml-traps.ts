import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from "yaml";
import type { Mistake } from "../problem.ts";
import type { Trap } from "./trap.ts";
import { cutText } from "./torn-text.ts";
import { BLANK_AFTER_DASH } from "./torn-lines.ts";
import { OTHER_TEMPLATE } from "./torn-values.ts";
import { lookAlikeIn } from "./look-alikes.ts";

/** A mistake in valid YAML, with the value that the author meant. */
export interface ValueTrap extends Trap {
  readonly meant?: unknown;
}

/** Names that a document defines with `&`, and names that it uses with `*`. */
export interface AnchorNames {
  readonly anchorNodes: ReadonlyMap<string, Node>;
  readonly aliasSources: ReadonlySet<string>;
}

/** Finds all anchors and aliases of `document`. */
export function anchorNames(document: Document): AnchorNames {
  const anchorNodes = new Map<string, Node>();
  const aliasSources = new Set<string>();
  visit(document, {
    Alias: (_, { source }) => void aliasSources.add(source),
    Value: (_, node) => void (node.anchor !== undefined && anchorNodes.set(node.anchor, node)),
  });
  return { anchorNodes, aliasSources };
}

/** Whether a text ends inside of an expression or its string literal, and the comment after it has the end of them. */
function endsInside(source: string, comment: string): boolean {
  const isExpression = /\$\{\{(?!.*\}\})/s.test(source) && comment.includes("}}");
  return isExpression || (/[=<>+(,]\s*"[^"]*$/.test(source) && comment.includes('"'));
}

/** Detects YAML that is valid but not what the author meant. */
export function trapOf(node: Node, text: string, names: () => AnchorNames): ValueTrap | undefined {
  const [start, valueEnd, nodeEnd] = node.range ?? [0, 0, 0];
  if (isAlias(node)) return aliasTrap(node.source, start, text, names());
  if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) {
    const isTaken = names().aliasSources.has(node.anchor);
    return isTaken ? undefined : anchorTrap(node.anchor, node, text);
  }
  if (node.tag !== undefined && !node.tag.startsWith("tag:yaml.org,2002:")) {
    return tagTrap(node.tag, start, text);
  }
  if (isMap(node) && node.flow === true) return bracesTrap(node, text);
  if (!isScalar(node)) return undefined;
  if (node.type === "QUOTE_DOUBLE") return controlCharacter(text, start, valueEnd, node.value);
  if (node.type !== "PLAIN") return undefined;
  const source = text.slice(start, valueEnd);
  const rest = restOfLine(text, valueEnd, nodeEnd);
  const cut = (endsInside(source, rest) ? /^[ \t]*(#.*)/ : /^[ \t]*(#[^\s#!].*)/).exec(rest);
  if (cut?.[1] !== undefined) {
    const at = valueEnd + cut[0].length - cut[1].length;
    const end = at + cut[1].trimEnd().length;
    const meant = text.slice(start, end).trim();
    return { start: at, end, mistake: cutText(source, meant), meant };
  }
  const quotes = typographicQuotes(source, start);
  if (quotes !== undefined) return quotes;
  if (typeof node.value === "number" && losesDigits(node.value, source)) {
    return { start, end: valueEnd, mistake: longNumber(source, node.value), meant: source };
  }
  return undefined;
}

/**
 * Detects keys that rule files do not support: `<<`, `__proto__`, a list item without a space after the dash (`-say:`),
 * and a key with a character that only looks like a blank or a dash.
 */
export function trapOfKey(pair: Pair, text: string): Trap | undefined {
  const { key } = pair;
  if (!isScalar(key) || !key.range) return undefined;
  const [start, end] = key.range;
  const name = text.slice(start, end);
  if (name === "<<") {
    const message = "merge keys (<<) are not supported here";
    const help = "write out the keys that it would bring in";
    return { start, end, mistake: { code: "no-merge-keys", message, help } };
  }
  if (key.value === "__proto__") return { start, end, mistake: PROTOTYPE };
  const character = lookAlikeIn(key.type === "PLAIN" ? `${name}:` : "", { isWrong: true });
  if (character) {
    return { ...character, start: start + character.start, end: start + character.end };
  }
  const [, word] = /^-([A-Za-z_][\w.]*)$/.exec(name) ?? [];
  if (word === undefined) return undefined;
  return { start, end, mistake: { ...BLANK_AFTER_DASH, help: `write - ${word}:` } };
}

/** Mistake of a key that JavaScript does not treat as a name: zod drops it from maps. */
const PROTOTYPE: Mistake = {
  code: "invalid-value",
  message: 'a key can\'t be named "__proto__"',
  help: "use another name",
};

/** Returns the text from `from` to the end of its line, at most up to `to`. */
function restOfLine(text: string, from: number, to: number): string {
  const rest = text.slice(from, to);
  return rest.split(/\r?\n/, 1)[0] ?? "";
}

const QUOTED = /^(?:[“„”]([^“„”]+)[“”]|[‘‚’]([^‘‚]+)[‘’]|«\s?([^«»]+?)\s?»|″([^″]+)″|´([^´]+)´)$/u;

/** Finds a text whose quotes an editor has replaced: they are a part of the text, and no condition fits it. */
function typographicQuotes(source: string, start: number): ValueTrap | undefined {
  const meant = QUOTED.exec(source)
    ?.slice(1)
    .find((one) => one !== undefined);
  if (meant === undefined) return undefined;
  const mistake: Mistake = {
    code: "look-alike",
    message: "these quotes are a part of the text: the quotes of YAML are \" and '",
    help: `write ${JSON.stringify(meant)}; with the quotes: '${source.replaceAll("'", "''")}'`,
  };
  return { start, end: start + source.length, mistake, meant };
}

function losesDigits(value: number, source: string): boolean {
  return /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value);
}

function longNumber(source: string, value: number): Mistake {
  return {
    code: "id-loses-digits",
    message: `this ID is read as a number and becomes ${BigInt(value)}`,
    help: `quote it: "${source}"`,
  };
}

function aliasTrap(name: string, start: number, text: string, names: AnchorNames): ValueTrap {
  const written = restOfLine(text, start, text.length).replace(/[\s}\],]*$/, "");
  const source = names.anchorNodes.get(name);
  const meant: unknown = source && isScalar(source) ? source.value : undefined;
  const help =
    meant === undefined
      ? `write the value out; if it is a text, quote it: ${JSON.stringify(written)}`
      : `write the value out: ${JSON.stringify(meant)}`;
  const end = start + name.length + 1;
  return { start, end, mistake: { ...NO_ALIASES, help }, meant: meant ?? written };
}

function anchorTrap(name: string, node: Node, text: string): ValueTrap {
  const start = Math.max(0, text.lastIndexOf(`&${name}`, node.range?.[0] ?? 0));
  const rest = restOfLine(text, start, text.length).trimEnd();
  const meant = isScalar(node) && node.value === null ? { meant: rest } : {};
  const help = `leave &${name} out; if it is a text, quote it: ${JSON.stringify(rest)}`;
  return { start, end: start + name.length + 1, mistake: { ...NO_ALIASES, help }, ...meant };
}

const NO_ALIASES = {
  code: "no-aliases",
  message: "anchors (&name) and aliases (*name) are not supported here",
};

function tagTrap(tag: string, valueStart: number, text: string): ValueTrap {
  const start = Math.max(0, text.lastIndexOf("!", valueStart));
  const rest = restOfLine(text, start, text.length).replace(/[\s}\],]*$/, "");
  const message = `the tag "${tag}" is not supported here`;
  const help = `leave it out; if the ! belongs to a text, quote it: ${JSON.stringify(rest)}`;
  return {
    start,
    end: start + tag.length,
    mistake: { code: "no-tags", message, help },
    meant: rest,
  };
}

/** Finds an unquoted text that YAML reads as map keys: `{{ name }}`, or a text in { } with a comma. */
function bracesTrap(node: YAMLMap, text: string): ValueTrap | undefined {
  const [start, end] = node.range ?? [0, 0];
  const inner = node.items[0]?.key;
  if (isMap(inner) && inner.range) {
    const whole = text.slice(start, end);
    const words = whole.replaceAll(/^[{\s]+|[}\s]+$/g, "");
    const help = `write "\${{ ${words} }}"`;
    return { start, end, mistake: { ...OTHER_TEMPLATE, help }, meant: whole };
  }
  for (const [index, pair] of node.items.entries()) {
    const before = node.items[index - 1];
    if (pair.value !== null || !isScalar(pair.key) || !pair.key.range || !before) continue;
    const value = before.value;
    if (!isScalar(value) || value.type !== "PLAIN" || !value.range) continue;
    const from = value.range[0];
    const to = pair.key.range[1];
    if (text.slice(to).trimStart().startsWith(":")) continue;
    const whole = text.slice(from, to).replaceAll(/^“|”$/g, "");
    const message = "a comma inside { } ends the text before it";
    const help = `quote the text: ${JSON.stringify(whole)}`;
    return { start: from, end: to, mistake: { code: "comma-in-text", message, help } };
  }
  return undefined;
}

const ESCAPES = /\\(?:[0abefvNLP_]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/g;

/** Finds an accidental control character: the author of `"\b"` means a word boundary, but YAML reads a backspace. */
function controlCharacter(
  text: string,
  start: number,
  end: number,
  value: unknown,
): ValueTrap | undefined {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  if (typeof value !== "string" || !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(value)) {
    return undefined;
  }
  const source = text.slice(start + 1, end - 1);
  const escapeMatch = ESCAPES.exec(source.replaceAll("\\\\", "__"));
  ESCAPES.lastIndex = 0;
  if (!escapeMatch) return undefined;
  const at = start + 1 + escapeMatch.index;
  return {
    start: at,
    end: at + escapeMatch[0].length,
    mistake: {
      code: "control-character",
      message: `"${escapeMatch[0]}" is a control character in double quotes`,
      help: `use single quotes: '${source.replaceAll("'", "''")}'`,
    },
  };
}
