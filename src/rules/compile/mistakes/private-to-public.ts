import { valueAt } from "../../../config/check-value.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { CompileContext } from "../compile-context.ts";

/** What stands for the texts of private messages in an expression. */
interface Private {
  /** Variables made of such texts. */
  readonly variables: ReadonlySet<string>;
  /** Steps whose answer is a private message. */
  readonly steps: ReadonlySet<string>;
}

/** Steps whose text everybody can read. */
const PUBLIC = ["create_post", "reply_post", "quote"];
const EXPRESSION = /\$\{\{([\s\S]*?)\}\}/g;
const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;
const NAME =
  /(?<![\w."'])(?:message\.\w+|event\.text|captures\.\w+|text(?![\w(])|vars\.(?<variable>\w+)|steps\.(?<step>\w+)\.(?:text|captures))/g;

/** Reports what a person wrote in private where a step of the rule would publish it. */
export function reportPrivateTexts(
  context: CompileContext,
  rulePath: Path,
  allow: readonly string[],
): void {
  const { triggers } = context.scope;
  if (allow.includes("private-to-public") || !triggers.some(isPrivate)) return;
  const rule = valueAt(context.document.value, rulePath);
  const secret = privateNames(rule, context.calls.private);
  const look = (path: Path, value: unknown, isPublic: boolean): void => {
    if (typeof value === "string") {
      if (isPublic) reportIn(context, path, value, secret);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const at = [...path, Array.isArray(value) ? Number(key) : key];
        // a branch may have any name
        const isVerb = PUBLIC.includes(key) && path.at(-1) !== "parallel";
        look(at, inner, isPublic || isVerb);
        if (key === "say" && isPublic && typeof inner === "string") {
          look(["texts", inner], valueAt(context.document.value, ["texts", inner]), true);
        }
      }
    }
  };
  for (const block of ["actions", "on_error"]) {
    look([...rulePath, block], valueAt(rule, [block]), false);
  }
}

function isPrivate(trigger: string): boolean {
  return trigger.startsWith("dm.");
}

/** Which of the values that a step of the rule gives to another one hold what was written in private. */
export function privateGiven(
  context: CompileContext,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { triggers } = context.scope;
  if (!triggers.some(isPrivate)) return [];
  const known = privateNames(valueAt(context.document.value, context.base), context.calls.private);
  const isSaid = (value: unknown): boolean =>
    typeof value === "string"
      ? privateParts(value, known).length > 0
      : entriesOf(value).some(([, inner]) => isSaid(inner));
  return Object.keys(given).filter((name) => isSaid(given[name]));
}

function privateNames(rule: unknown, given: readonly string[]): Private {
  const variables = new Set(given);
  const steps = new Set<string>();
  const known: Private = { variables, steps };
  for (const [name, value] of entriesOf(valueAt(rule, ["variables"]))) {
    if (typeof value === "string" && privateParts(value, known).length > 0) variables.add(name);
  }
  const look = (value: unknown): void => {
    const id = valueAt(value, ["id"]);
    const listens = valueAt(value, ["ask"]) ?? valueAt(value, ["wait_for"]);
    if (typeof id === "string" && listens !== undefined) steps.add(id);
    for (const [, inner] of entriesOf(value)) look(inner);
  };
  look(valueAt(rule, ["actions"]));
  return known;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

interface PrivatePart {
  readonly offset: number;
  readonly length: number;
}

/** Where a text with expressions takes in what was written in private. */
function privateParts(text: string, { variables, steps }: Private): readonly PrivatePart[] {
  const found: PrivatePart[] = [];
  for (const expression of text.matchAll(EXPRESSION)) {
    const bare = expression[0].replaceAll(QUOTED, (quoted) => " ".repeat(quoted.length));
    for (const name of bare.matchAll(NAME)) {
      const { variable, step } = name.groups ?? {};
      if (variable !== undefined && !variables.has(variable)) continue;
      if (step !== undefined && !steps.has(step)) continue;
      found.push({ offset: expression.index + name.index, length: name[0].length });
    }
  }
  return found;
}

function reportIn(context: CompileContext, path: Path, text: string, secret: Private): void {
  const [first] = privateParts(text, secret);
  if (!first) return;
  context.report(path, PUBLISHED, { text, ...first });
}

const PUBLISHED = {
  code: "private-to-public",
  message: "text from a private message would be published in a post",
  help: "remove it, or state the intent in the rule:  allow: [private-to-public]",
} as const;
