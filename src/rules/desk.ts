import type { Mistake, Problem } from "../config/problem.ts";
import type { Part, Path, YamlDocument } from "../config/yaml-document.ts";
import type { Environment } from "@marcbachmann/cel-js";
import { compileExpression, type Expression, type ExpressionFault } from "./expression.ts";

import type { Scope } from "./scope.ts";
import { compileTemplate, type Template } from "./template.ts";

/** Where one rule is compiled: the text it stands in, what it may speak of, the faults found so far. */
export interface Desk {
  readonly document: YamlDocument;
  readonly scope: Scope;
  readonly problems: readonly Problem[];
  add(problem: Problem): void;
  /** Adds the problem `mistake` at `path`. Gives nothing, so that a compiler can return it. */
  report(path: Path, mistake: Mistake, part?: Part): undefined;
  /** `path` within the rule, for people: `conditions[0].any[1]`. */
  label(path: Path): string;
  /** The expression that is the whole scalar at `path`. */
  expression(path: Path): Expression | undefined;
  /** As `expression`, and it must give true or false. */
  condition(path: Path): Expression | undefined;
  /** The text with `${{ }}` in it that is the scalar at `path`. */
  template(path: Path, source: string): Template | undefined;
  /** The same desk with other names declared. */
  declaring(environment: Environment): Desk;
}

/** A desk for the rule at `base` of `document`. */
export function deskFor(document: YamlDocument, base: Path, scope: Scope): Desk {
  return makeDesk(document, base, scope, scope.environment, []);
}

function makeDesk(
  document: YamlDocument,
  base: Path,
  scope: Scope,
  environment: Environment,
  problems: Problem[],
): Desk {
  const compile = (source: string) => compileExpression(source, environment, scope);
  const addFaults = (path: Path, source: string, faults: readonly ExpressionFault[]) => {
    for (const { mistake, offset, length } of faults) {
      problems.push(placed(document, path, source, { mistake, offset, length }));
    }
    return undefined;
  };
  const desk: Desk = {
    document,
    scope,
    problems,
    add: (problem) => void problems.push(problem),
    report(path, mistake, part) {
      problems.push(document.problemAt(path, mistake, part));
      return undefined;
    },
    label: (path) => labelOf(path.slice(base.length)),
    expression(path) {
      const source = document.sourceAt(path);
      if (source === undefined || source.trim() === "") {
        return desk.report(path, { code: "wrong-type", message: "an expression is wanted here" });
      }
      const wrapped = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(source);
      if (wrapped || source.includes("${{")) {
        const message = "a bare expression is wanted here, without ${{ }} and text around it";
        const help = wrapped?.[1] === undefined ? undefined : `write: ${wrapped[1].trim()}`;
        return desk.report(path, { code: "expression-in-text", message, help });
      }
      const compiled = compile(source);
      return "faults" in compiled ? addFaults(path, source, compiled.faults) : compiled;
    },
    condition(path) {
      const compiled = desk.expression(path);
      if (!compiled || compiled.type === "bool" || compiled.type === "dyn") return compiled;
      const message = `this gives ${compiled.type}, not true or false`;
      return desk.report(path, {
        code: "expr-not-boolean",
        message,
        help: "compare it with something",
      });
    },
    template(path, source) {
      const compiled = compileTemplate(source, compile);
      return "faults" in compiled ? addFaults(path, source, compiled.faults) : compiled;
    },
    declaring: (other) => makeDesk(document, base, scope, other, problems),
  };
  return desk;
}

/** Places a fault of `source` in the file: where that very line of `source` stands in it. */
function placed(
  document: YamlDocument,
  path: Path,
  source: string,
  fault: ExpressionFault,
): Problem {
  const lineStart = source.lastIndexOf("\n", fault.offset - 1) + 1;
  const lineEnd = source.indexOf("\n", fault.offset);
  const line = source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const { mistake, length } = fault;
  return document.problemAt(path, mistake, {
    text: line,
    offset: fault.offset - lineStart,
    length,
  });
}

function labelOf(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}
