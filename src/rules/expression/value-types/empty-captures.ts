import { type ASTNode, type Environment, Optional } from "@marcbachmann/cel-js";
import { type ChangedSource, type Insertion, withInsertions } from "../insertions.ts";
import { visit } from "../syntax-tree.ts";
import { pathOf } from "./typed-form.ts";

/** Function that expressions of rules can't name: an optional value, which is absent for an empty text. */
export const NON_EMPTY = "nonEmpty";

/** Matches the path of a capture: `captures.who`, `steps.order.captures.no`. */
const CAPTURE = /^(?:steps\.\w+\.)?captures\.\w+$/;

export function registerNonEmpty(environment: Environment): void {
  environment.registerFunction(`${NON_EMPTY}(string): optional<string>`, (text: string) =>
    text === "" ? Optional.none() : Optional.of(text),
  );
}

/**
 * Makes `orValue` and `has` treat an empty capture as absent: a group without a part in the match holds an empty text,
 * so that rules can also read it without a test.
 *
 * @returns `undefined` if nothing has to be changed.
 */
export function withEmptyCaptures(source: string, ast: ASTNode): ChangedSource | undefined {
  if (!source.includes("captures")) return undefined;
  const insertions: Insertion[] = [];
  visit(ast, (node) => {
    if (node.op === "rcall" && node.args[0] === "orValue") {
      const [, capture] = node.args;
      if (!CAPTURE.test(pathOf(capture))) return;
      insertions.push({ at: capture.start, text: `${NON_EMPTY}(` });
      insertions.push({ at: capture.end, text: '.orValue(""))' });
    } else if (node.op === "call" && node.args[0] === "has") {
      const path = node.args[1][0] === undefined ? "" : pathOf(node.args[1][0]);
      if (!CAPTURE.test(path)) return;
      insertions.push({ at: node.start, text: "(" });
      insertions.push({ at: node.end, text: ` && ${path} != "")` });
    }
  });
  return insertions.length === 0 ? undefined : withInsertions(source, insertions);
}

/** Restores the form of an expression that its author wrote. */
export function withoutNonEmpty(source: string): string {
  return source.replaceAll(/\bnonEmpty\(([\w.?]+)\.orValue\(""\)\)/g, "$1");
}
