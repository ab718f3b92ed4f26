import type { ASTNode } from "@marcbachmann/cel-js";
import type { Mistake } from "../../../config/problem.ts";
import type { Trigger } from "../../../events/triggers.ts";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import { fieldPath, visit } from "../../expression/syntax-tree.ts";

/** Fields whose text omits the handles at its beginning that address the account. */
const OWN_WORDS: ReadonlySet<string> = new Set(["text", "post.text"]);
const ADDRESSED: ReadonlySet<Trigger> = new Set(["post.mentioned", "post.replied", "post.edited"]);
/** Operators and functions that depend on the beginning of a text. */
const AT_BEGINNING: ReadonlySet<string> = new Set([
  "equals",
  "in",
  "starts_with",
  "matches",
  "startsWith",
  "same",
]);
/** Matches a text or pattern that begins with a handle. */
const HANDLE = /^(?:\^|\\s\*|\(\?[a-z]*[:)])*[@＠]\w/;

interface WrittenTest {
  readonly operator: string;
  readonly written: readonly unknown[];
}

/** Returns the mistake of a condition that requires a handle at the beginning of `post.text`. */
export function wantsHandle(
  field: string,
  triggers: readonly Trigger[],
  tests: readonly WrittenTest[],
): Mistake | undefined {
  if (!OWN_WORDS.has(field) || !isAddressed(triggers)) return undefined;
  const handle = tests
    .filter(({ operator }) => AT_BEGINNING.has(operator))
    .flatMap(({ written }) => written)
    .find((one) => beginsWithHandle(one));
  return handle === undefined ? undefined : handleInFront(field, handle);
}

/** Returns a fault for each comparison of the beginning of `post.text` with a handle. */
export function handlesInFront(
  ast: ASTNode,
  triggers: readonly Trigger[],
): readonly ExpressionFault[] {
  if (!isAddressed(triggers)) return [];
  const faults: ExpressionFault[] = [];
  visit(ast, (node) => {
    const compared = comparedTexts(node);
    const field = compared.map(fieldPath).find((one) => OWN_WORDS.has(one));
    const text = compared.map((one) => (one.op === "value" ? one.args : "")).find(beginsWithHandle);
    if (field === undefined || text === undefined) return;
    faults.push({
      mistake: handleInFront(field, text),
      offset: node.start,
      length: Math.max(1, node.end - node.start),
    });
  });
  return faults;
}

function comparedTexts(node: ASTNode): readonly ASTNode[] {
  if (node.op !== "rcall" || !AT_BEGINNING.has(node.args[0])) return [];
  return [node.args[1], ...node.args[2]];
}

function isAddressed(triggers: readonly Trigger[]): boolean {
  return triggers.some((one) => ADDRESSED.has(one));
}

function beginsWithHandle(text: unknown): text is string {
  return typeof text === "string" && HANDLE.test(text);
}

function handleInFront(field: string, text: string): Mistake {
  return {
    code: "handle-in-front",
    severity: "warning",
    message: `${field} omits the handles that address the account, so it never begins with ${JSON.stringify(text)}`,
    help: "write the text without the bot's handle, or use post.full_text",
  };
}
