import type { Mistake, Problem } from "../../config/problem.ts";
import type { Part, Path, YamlDocument } from "../../config/yaml-document.ts";
import type { Environment } from "@marcbachmann/cel-js";
import { compileExpression, type Expression, type ExpressionFault } from "./expression.ts";
import type { SecretUse } from "../secrets.ts";
import type { SecretName } from "./secret-names.ts";
import type { RuleScope } from "./scope.ts";
import { compileTemplate, type TextTemplate } from "./template.ts";

/** Where one rule is compiled: the text it stands in, what it may speak of, the faults found so far. */
export interface CompileContext {
  readonly document: YamlDocument;
  readonly scope: RuleScope;
  readonly problems: readonly Problem[];
  /** Secrets that its expressions read, in the order of the file. */
  readonly secrets: readonly SecretUse[];
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
  template(path: Path, source: string): TextTemplate | undefined;
  /** The same context with other names declared. */
  declaring(environment: Environment): CompileContext;
}

/** The context of the rule at `base` of `document`. */
export function ruleContext(document: YamlDocument, base: Path, scope: RuleScope): CompileContext {
  return makeContext(document, base, scope, scope.environment, { problems: [], secrets: [] });
}

function makeContext(
  document: YamlDocument,
  base: Path,
  scope: RuleScope,
  environment: Environment,
  found: { readonly problems: Problem[]; readonly secrets: SecretUse[] },
): CompileContext {
  const { problems, secrets } = found;
  const compile = (source: string) => compileExpression(source, environment, scope);
  const addFaults = (path: Path, source: string, faults: readonly ExpressionFault[]) => {
    for (const { mistake, offset, length } of faults) {
      problems.push(placed(document, path, source, { mistake, offset, length }));
    }
    return undefined;
  };
  const noteSecrets = <T extends { readonly secrets: readonly SecretName[] }>(
    path: Path,
    source: string,
    compiled: T,
  ): T => {
    for (const { name, optional, offset, length } of compiled.secrets) {
      const problem = placed(document, path, source, { mistake: notSet(name), offset, length });
      secrets.push({ name, optional, problem });
    }
    return compiled;
  };
  const context: CompileContext = {
    document,
    scope,
    problems,
    secrets,
    add: (problem) => void problems.push(problem),
    report(path, mistake, part) {
      problems.push(document.problemAt(path, mistake, part));
      return undefined;
    },
    label: (path) => labelOf(path.slice(base.length)),
    expression(path) {
      const source = document.sourceAt(path);
      if (source === undefined || source.trim() === "") {
        return context.report(path, {
          code: "wrong-type",
          message: "an expression is wanted here",
        });
      }
      const wrapped = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(source);
      if (wrapped || source.includes("${{")) {
        const message = "a bare expression is wanted here, without ${{ }} and text around it";
        const help = wrapped?.[1] === undefined ? undefined : `write: ${wrapped[1].trim()}`;
        return context.report(path, { code: "expression-in-text", message, help });
      }
      const compiled = compile(source);
      if ("faults" in compiled) return addFaults(path, source, compiled.faults);
      return noteSecrets(path, source, compiled);
    },
    condition(path) {
      const compiled = context.expression(path);
      if (!compiled || compiled.type === "bool" || compiled.type === "dyn") return compiled;
      const message = `this gives ${compiled.type}, not true or false`;
      return context.report(path, {
        code: "expr-not-boolean",
        message,
        help: "compare it with something",
      });
    },
    template(path, source) {
      const compiled = compileTemplate(source, compile);
      if ("faults" in compiled) return addFaults(path, source, compiled.faults);
      return noteSecrets(path, source, compiled);
    },
    declaring: (other) => makeContext(document, base, scope, other, found),
  };
  return context;
}

/** The mistake of using a secret that the environment hasn't got. */
function notSet(name: string): Mistake {
  return {
    code: "secret-not-set",
    message: `the secret ${name} is not set`,
    help: `set it in the environment:  ${name}=…`,
  };
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
