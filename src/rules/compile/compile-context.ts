import type { Mistake, Problem, Spot } from "../../config/problem.ts";
import { valueAt } from "../../config/value-at.ts";
import type { Part, Path, YamlDocument } from "../../config/yaml-document.ts";
import type { Environment } from "@marcbachmann/cel-js";
import { compileExpression, type Expression } from "./expression.ts";
import type { ExpressionFault } from "./expressions/expression-fault.ts";
import { exactComparisons } from "./mistakes/exact-comparison.ts";
import type { CallUse } from "../calls.ts";
import type { SecretUse } from "../secrets.ts";
import type { StateUse } from "../decide/state-keys.ts";
import type { SecretName } from "./expressions/secret-names.ts";
import type { RuleFileSource } from "../rule-file-source.ts";
import type { Calls } from "./calling/calls.ts";
import { type RuleScope, scopeOf } from "./scope.ts";
import type { Brought } from "./shared/brought.ts";
import { seeingShared, textsIn, withShared } from "./shared/constants.ts";
import type { FileShared } from "./shared/file-shared.ts";
import { compileSaying } from "./shared/say.ts";
import { compileTemplate, type TemplateUse, type TextTemplate } from "./template.ts";

/** Where one rule is compiled: the text it stands in, what it may speak of, the faults found so far. */
export interface CompileContext {
  readonly document: YamlDocument;
  readonly scope: RuleScope;
  /** What its file has beside the rules. */
  readonly shared: FileShared;
  /** Where the rule stands in the document. */
  readonly base: Path;
  readonly problems: readonly Problem[];
  /** Secrets that its expressions read, in the order of the file. */
  readonly secrets: readonly SecretUse[];
  /** Functions of modules that its steps call, in the order of the file. */
  readonly called: readonly CallUse[];
  /** Notes that a step calls a function of a module. */
  callsFunction(use: CallUse): void;
  /** Where the value at `path` stands. */
  spot(path: Path): Spot;
  /** User state that was read or changed so far. */
  readonly state: readonly StateUse[];
  /** Notes that the rule reads or changes user state. */
  uses(use: StateUse): void;
  /** What of its file, or of files beside it, the rule uses. */
  readonly brought: readonly Brought[];
  /** Notes that the rule uses it. */
  brings(brought: Brought): void;
  add(problem: Problem): void;
  /** Adds the problem `mistake` at `path`. Gives nothing, so that a compiler can return it. */
  report(path: Path, mistake: Mistake, part?: Part): undefined;
  /** `path` within the rule, for people: `conditions[0].any[1]`. */
  label(path: Path): string;
  /** The expression that is the whole scalar at `path`. */
  expression(path: Path): Expression | undefined;
  /** As `expression`, and it must give true or false. */
  condition(path: Path): Expression | undefined;
  /** The text with `${{ }}` in it that is the scalar at `path`: what it gives can be shown. */
  template(path: Path, source: string): TextTemplate | undefined;
  /** As `template`, but what is wholly one expression may give a map, too: for data. */
  value(path: Path, source: string): TextTemplate | undefined;
  /** Is `source` an expression that looks into the event, rather than a text? */
  readsField(source: string): boolean;
  /** The same context with other names declared. */
  declaring(environment: Environment): CompileContext;
  /** The same context, where steps may run rules that see these captures. */
  capturing(names: readonly string[]): CompileContext;
  /** The same context, where other fields can be asked for. */
  within(scope: RuleScope): CompileContext;
  /** Names of the texts that the text stands in that is compiled now. */
  readonly saying: readonly string[];
  /** The same context within the text of that name: what is wrong there is told with the rule that says it. */
  withinText(name: string): CompileContext;
  /** The file that the rule stands in. */
  readonly source: RuleFileSource;
  /** The rules whose steps can be run, and those that are being run. */
  readonly calls: Calls;
  /** The context of a rule that a step runs: what it reads is checked for the triggers of the one that does. */
  inCalled(place: CalledPlace, calls: Calls): CompileContext;
}

/** The context of the rule at `base` of `document`, whose fields are those of `scope`. */
export function ruleContext(place: RulePlace, scope: RuleScope): CompileContext {
  const own = withShared(scope, place.shared);
  return makeContext({ ...place, scope: own, saying: [] }, own.environment, {
    problems: [],
    secrets: [],
    called: [],
    state: [],
    brought: [],
  });
}

/** Where a rule stands, and what its file has for it. */
type CalledPlace = Pick<CompileContext, "document" | "base" | "shared" | "source">;
type RulePlace = CalledPlace & Pick<CompileContext, "calls">;

function makeContext(
  place: RulePlace & Pick<CompileContext, "scope" | "saying">,
  environment: Environment,
  found: {
    readonly problems: Problem[];
    readonly secrets: SecretUse[];
    readonly called: CallUse[];
    readonly state: StateUse[];
    readonly brought: Brought[];
  },
): CompileContext {
  const { document, base, shared, scope, saying, source: file, calls } = place;
  const { problems, secrets, called, state, brought } = found;
  const tell = (problem: Problem) => void problems.push(saidBy(place, problem));
  const compile = (source: string, path: Path) => {
    const compiled = compileExpression(source, environment, scope);
    if ("faults" in compiled) return compiled;
    state.push(...compiled.state);
    const texts = textsIn(compiled).flatMap((name) => {
      const text = compileSaying(context, name, path);
      return text ? [[name, text.choose] as const] : [];
    });
    return seeingShared(compiled, shared.inputs, new Map(texts));
  };
  const addFaults = (path: Path, source: string, faults: readonly ExpressionFault[]) => {
    for (const { mistake, offset, length } of faults) {
      tell(placed(document, path, source, { mistake, offset, length }));
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
  const templateAt = (path: Path, source: string, use: TemplateUse) => {
    const compiled = compileTemplate(source, (inner) => compile(inner, path), use);
    if ("faults" in compiled) return addFaults(path, source, compiled.faults);
    return noteSecrets(path, source, compiled);
  };
  const context: CompileContext = {
    document,
    scope,
    shared,
    base,
    problems,
    secrets,
    called,
    callsFunction: (use) => void called.push(use),
    spot: (path) => spotOf(document.problemAt(path, NO_MISTAKE)),
    state,
    uses: (use) => void state.push(use),
    brought,
    brings: (one) => void brought.push(one),
    add: (problem) => void problems.push(problem),
    report(path, mistake, part) {
      tell(document.problemAt(path, mistake, part));
      return undefined;
    },
    label: (path) => `${calls.label}${labelOf(path.slice(base.length))}`,
    expression(path) {
      const source = document.sourceAt(path);
      if (source === undefined || source.trim() === "") {
        return context.report(path, {
          code: "wrong-type",
          message: "an expression is wanted here",
          help: "write one, as  sender.followers_count > 100",
        });
      }
      const wrapped = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(source);
      if (wrapped || source.includes("${{")) {
        const message = "a bare expression is wanted here, without ${{ }} and text around it";
        const inner = /\$\{\{(.*?)\}\}/s.exec(source)?.[1] ?? "";
        const help = `write: ${inner.trim()}`;
        return context.report(path, { code: "expression-in-text", message, help });
      }
      const compiled = compile(source, path);
      if ("faults" in compiled) return addFaults(path, source, compiled.faults);
      addFaults(path, source, exactComparisons(compiled.ast));
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
    template: (path, source) => templateAt(path, source, "text"),
    value: (path, source) => templateAt(path, source, "data"),
    readsField(source) {
      const compiled = compileExpression(source, environment, scope);
      return !("faults" in compiled) && compiled.ast.op !== "id" && compiled.roots.size > 0;
    },
    capturing: (captures) =>
      makeContext({ ...place, calls: { ...calls, captures } }, environment, found),
    declaring: (other) => makeContext(place, other, found),
    within(other) {
      const own = withShared(other, shared);
      return makeContext({ ...place, scope: own }, own.environment, found);
    },
    saying,
    withinText: (name) => makeContext({ ...place, saying: [...saying, name] }, environment, found),
    source: file,
    calls,
    inCalled(called, within) {
      const own = withShared(scopeOf(scope.triggers), called.shared);
      const there = { ...called, scope: own, saying: [], calls: within };
      return makeContext(there, own.environment, found);
    },
  };
  return context;
}

/**
 * A problem of a text stands there once for all rules, and concerns the one that says it; so does one of steps
 * that another rule runs.
 */
function saidBy(
  { document, base, saying, calls }: Pick<CompileContext, "document" | "base" | "saying" | "calls">,
  problem: Problem,
): Problem {
  const by = calls.chain[0];
  const run = by === undefined ? "" : `, where rule "${by.id}" (${by.file}:${by.line}) runs it`;
  if (saying.length === 0) return { ...problem, message: `${problem.message}${run}` };
  const id = valueAt(document.value, [...base, "id"]);
  const rule = typeof id === "string" ? `rule "${id}"` : "a rule";
  return { ...problem, message: `${problem.message}, where ${rule} says it${run}` };
}

const NO_MISTAKE: Mistake = { code: "none", message: "" };

function spotOf({ file, line, column, length, sourceLine }: Problem): Spot {
  return { file, line, column, length, sourceLine };
}

/** The mistake of using a secret that the environment hasn't got. */
function notSet(name: string): Mistake {
  return {
    code: "secret-not-set",
    message: `the secret ${name} is not set`,
    help: `set it in the environment:  ${name}=…`,
  };
}

/** Places a fault of `source`, the text at `path`. */
function placed(
  document: YamlDocument,
  path: Path,
  source: string,
  { mistake, offset, length }: ExpressionFault,
): Problem {
  return document.problemAt(path, mistake, { text: source, offset, length });
}

function labelOf(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}
