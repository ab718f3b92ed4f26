import type { Mistake, Problem, Spot } from "../../config/problem.ts";
import { valueAt } from "../../config/value-at.ts";
import type { Part, Path, YamlDocument } from "../../config/yaml-document.ts";
import type { Environment } from "@marcbachmann/cel-js";
import { compileExpression, type Expression } from "../expression/expression.ts";
import { drawFaults, withOwnDraws } from "../expression/drawing.ts";
import type { ExpressionFault } from "../expression/expression-fault.ts";
import { type CaptureNames, numbersUnder } from "./conditions/captures.ts";
import { type KnownTypes, NO_TYPES } from "../expression/value-types/known-types.ts";
import { celOf } from "./habits/other-expressions.ts";
import { ExpressionCorrections, NO_MISTAKE } from "./mistakes/expression-corrections.ts";
import type { CallUse } from "../ruleset.ts";
import type { SecretUse } from "../secrets.ts";
import type { StateUse } from "../schema/state-keys.ts";
import type { SecretName } from "../expression/secret-names.ts";
import type { RuleFileSource } from "../rule-file-source.ts";
import type { SharedSaying, StepContext } from "../steps/step-context.ts";
import type { Calls } from "./calling/calls.ts";
import { type RuleScope, scopeOf } from "../expression/scope.ts";
import type { Dependency } from "./shared/dependency.ts";
import { namesUnder, seeingShared, withShared } from "./shared/constants.ts";
import type { FileShared } from "./shared/file-shared.ts";
import { compileSaying } from "./shared/say.ts";
import { contentHash } from "../../system/content-hash.ts";
import { type StateType, valueKind } from "../expression/value-types/state-types.ts";
import {
  type CompileExpression,
  compileTemplate,
  type TemplateUse,
  type TextTemplate,
} from "../expression/template.ts";

/** Position of a rule, and the definitions that its file shares. */
type CalledPlace = Pick<CompileContext, "document" | "base" | "shared" | "source">;
type RulePlace = CalledPlace & Pick<CompileContext, "calls">;

/** Problems and uses found in a rule so far. All contexts of the rule share this object. */
interface Found {
  readonly problems: Problem[];
  readonly secrets: SecretUse[];
  readonly called: CallUse[];
  readonly state: StateUse[];
  readonly stateTypes: StateType[];
  readonly dependencies: Dependency[];
}

/** Creates the context of the rule at `place.base`. Its expressions read the fields of `scope`. */
export function ruleContext(place: RulePlace, scope: RuleScope): CompileContext {
  const own = withShared(scope, place.shared);
  const findings: Found = {
    problems: [],
    secrets: [],
    called: [],
    state: [],
    stateTypes: [],
    dependencies: [],
  };
  return new CompileContext({ ...place, scope: own, openTexts: [] }, own.environment, findings);
}

/**
 * Compilation of one rule: its document, the names in scope, and the problems found so far.
 *
 * Compiled parts must not refer to the context, since it would keep the whole document in memory.
 */
export class CompileContext implements StepContext {
  readonly document: YamlDocument;
  readonly scope: RuleScope;
  /** Definitions that the rules of the file share: texts, media, hours, inputs. */
  readonly shared: FileShared;
  readonly base: Path;
  readonly source: RuleFileSource;
  /** Rules that steps can run, and the calls that led to the steps under compilation. */
  readonly calls: Calls;
  /** Names of the shared texts under compilation, outermost first: one text can include another. */
  readonly openTexts: readonly string[];
  /** Whether expressions may read values of secrets: only where a step sends data to a service or a function. */
  readonly readsSecrets: boolean;
  /** Types for checking expressions. They are more exact than CEL's: `captures.n` holds a number, for example. */
  readonly types: KnownTypes;
  readonly #environment: Environment;
  readonly #found: Found;
  readonly #corrections: ExpressionCorrections;

  constructor(
    place: RulePlace &
      Pick<CompileContext, "scope" | "openTexts"> & {
        readonly readsSecrets?: boolean;
        readonly types?: KnownTypes;
      },
    environment: Environment,
    findings: Found,
  ) {
    this.document = place.document;
    this.base = place.base;
    this.shared = place.shared;
    this.source = place.source;
    this.calls = place.calls;
    this.scope = place.scope;
    this.openTexts = place.openTexts;
    this.readsSecrets = place.readsSecrets ?? false;
    this.types = place.types ?? NO_TYPES;
    this.#environment = environment;
    this.#found = findings;
    this.#corrections = new ExpressionCorrections({ ...this.#place(), environment });
  }

  get problems(): readonly Problem[] {
    return this.#found.problems;
  }

  /** Secrets that the rule's expressions read, in the order of the file. */
  get secrets(): readonly SecretUse[] {
    return this.#found.secrets;
  }

  /** Functions of modules that the rule's steps call, in the order of the file. */
  get called(): readonly CallUse[] {
    return this.#found.called;
  }

  /** User state that the parts compiled so far read or change. */
  get state(): readonly StateUse[] {
    return this.#found.state;
  }

  /** Reads and writes of user state in the rule, each with the kind of the value: text, number, list and so on. */
  get stateTypes(): readonly StateType[] {
    return this.#found.stateTypes;
  }

  /** Shared definitions and other files that the rule uses. */
  get dependencies(): readonly Dependency[] {
    return this.#found.dependencies;
  }

  callsFunction(use: CallUse): void {
    this.#found.called.push(use);
  }

  uses(use: StateUse): void {
    this.#found.state.push(use);
    this.#bringDefault(use);
  }

  notesState(path: string, type: string, does: StateType["does"], at: Path): void {
    const kind = valueKind(type);
    if (kind === undefined) return;
    const source = does === "keeps" ? this.document.sourceAt(at) : undefined;
    const written = source === undefined ? {} : { written: source };
    this.#found.stateTypes.push({ path, kind, does, at: this.spot(at), ...written });
  }

  /** Records a shared definition or another file that the rule uses. */
  dependsOn(dependency: Dependency): void {
    this.#found.dependencies.push(dependency);
  }

  add(problem: Problem): void {
    this.#found.problems.push(problem);
  }

  report(path: Path, mistake: Mistake, part?: Part): undefined {
    this.#tell(this.document.problemAt(path, mistake, part));
  }

  spot(path: Path): Spot {
    return spotOf(this.document.problemAt(path, NO_MISTAKE));
  }

  label(path: Path): string {
    return `${this.calls.label}${labelOf(path.slice(this.base.length))}`;
  }

  /** Compiles the scalar at `path`, which is a bare expression without `${{ }}`. */
  expression(path: Path): Expression | undefined {
    const source = this.document.sourceAt(path);
    if (source === undefined || source.trim() === "") return this.report(path, NO_EXPRESSION);
    if (/\{\{/.test(source)) {
      const message = "this key takes a bare expression, without ${{ }} or other text around it";
      const help = `write: ${this.#corrections.meant(source, path) ?? celOf(source, (name) => name)}`;
      return this.report(path, { code: "expression-in-text", message, help });
    }
    const compiled = this.#compile(source, path);
    if ("faults" in compiled) return this.#addFaults(path, source, compiled.faults);
    this.#addFaults(path, source, this.#corrections.doubtsOf(compiled, path));
    this.#noteSecrets(path, source, compiled.secrets);
    return compiled;
  }

  condition(path: Path): Expression | undefined {
    const compiled = this.expression(path);
    if (!compiled || compiled.type === "bool" || compiled.type === "dyn") return compiled;
    const message = `this gives ${compiled.type}, not true or false`;
    const help = "compare it with something";
    return this.report(path, { code: "expr-not-boolean", message, help });
  }

  template(path: Path, source: string): TextTemplate | undefined {
    return this.#templateAt(path, source, "text");
  }

  value(path: Path, source: string): TextTemplate | undefined {
    return this.#templateAt(path, source, "data");
  }

  /** Returns whether `source` is an expression that reads a field of the event, rather than a text. */
  readsField(source: string): boolean {
    const compiled = compileExpression(source, this.#environment, this.scope, this.types);
    return !("faults" in compiled) && compiled.ast.op !== "id" && compiled.roots.size > 0;
  }

  meantIn(template: string, path: Path): string | undefined {
    return this.#corrections.shownForm(template, path);
  }

  sharedText(path: Path, name: string): SharedSaying | undefined {
    return compileSaying(this, name, path);
  }

  sharedMedia(path: Path, written: string): string | undefined {
    const looked = this.shared.media(written);
    if ("mistake" in looked) return this.report(path, looked.mistake);
    if ("problems" in looked) return undefined;
    this.dependsOn(looked.dependency);
    return looked.value;
  }

  /** Returns the same context, in which expressions can read the names of `environment`. */
  declaring(environment: Environment): CompileContext {
    return new CompileContext(this, environment, this.#found);
  }

  /** Returns a copy of the context in which called rules can read these captures as `captures.NAME`. */
  capturing(captures: CaptureNames): CompileContext {
    const place = { ...this.#place(), calls: { ...this.calls, captures } };
    const context = new CompileContext(place, this.#environment, this.#found);
    return context.knowing({ numbers: numbersUnder("captures", captures) });
  }

  /** Returns a copy of the context that also knows the passed types of values. */
  knowing({ numbers, ...more }: Partial<KnownTypes>): CompileContext {
    const all = new Map([...this.types.numbers, ...(numbers ?? [])]);
    const types = { ...this.types, ...more, numbers: all };
    const place = { ...this.#place(), readsSecrets: this.readsSecrets, types };
    return new CompileContext(place, this.#environment, this.#found);
  }

  /** Returns the same context with the fields of another scope. */
  within(scope: RuleScope): CompileContext {
    const own = withShared(scope, this.shared);
    return new CompileContext({ ...this.#place(), scope: own }, own.environment, this.#found);
  }

  readingSecrets(): CompileContext {
    const place = { ...this.#place(), readsSecrets: true };
    return new CompileContext(place, this.#environment, this.#found);
  }

  /** Returns the same context for the shared text `name`. Messages of its problems name the rule that uses the text. */
  withinText(name: string): CompileContext {
    const place = { ...this.#place(), openTexts: [...this.openTexts, name] };
    return new CompileContext(place, this.#environment, this.#found);
  }

  /**
   * Returns the context of a called rule. Its expressions can read the fields that the triggers of the calling rule
   * provide.
   */
  inCalled(called: CalledPlace, calls: Calls): CompileContext {
    const own = withShared(scopeOf(this.scope.triggers), called.shared);
    const { document, base, shared, source } = called;
    const place = { document, base, shared, source, calls, scope: own, openTexts: [] };
    return new CompileContext(place, own.environment, this.#found);
  }

  /**
   * Returns the label of a path for the seeds of random draws: relative to the rule if the path is inside of it, else
   * from the top of the file.
   */
  #placeOf(path: Path): string {
    const isInRule = this.base.every((part, index) => path[index] === part);
    return isInRule ? this.label(path) : path.join(".");
  }

  #place(): RulePlace & Pick<CompileContext, "scope" | "openTexts" | "types"> {
    const { document, base, shared, source, calls, scope, openTexts, types } = this;
    return { document, base, shared, source, calls, scope, openTexts, types };
  }

  #tell(problem: Problem): void {
    this.#found.problems.push(saidBy(this, problem));
  }

  /** @param nth Index of the expression within the text at `path`. */
  #compile(source: string, path: Path, nth = 0): ReturnType<typeof compileExpression> {
    const compiled = compileExpression(source, this.#environment, this.scope, this.types);
    if ("faults" in compiled)
      return { faults: this.#corrections.corrected(source, path, compiled.faults) };
    const faults = drawFaults(compiled.ast);
    if (faults.length > 0) return { faults };
    const own = withOwnDraws(compiled, `${this.#placeOf(path)}/${nth}`);
    this.#found.state.push(...compiled.state);
    for (const use of compiled.state) this.#bringDefault(use);
    for (const { path: state, kind } of compiled.stateReads) {
      this.#found.stateTypes.push({ path: state, kind, does: "reads", at: this.spot(path) });
    }
    const texts = namesUnder("texts", compiled).flatMap((name) => {
      const text = compileSaying(this, name, path);
      return text ? [[name, text.choose] as const] : [];
    });
    const hours = namesUnder("hours", compiled).flatMap((name) => {
      const looked = this.shared.hours.find(name);
      if (!("value" in looked)) return [];
      this.dependsOn(looked.dependency);
      return [[name, looked.value] as const];
    });
    return seeingShared(own, {
      inputs: this.shared.inputs,
      texts: new Map(texts),
      hours: new Map(hours),
    });
  }

  /** Includes the default of a state value in the rule's revision hash, so a new default is a new revision. */
  #bringDefault(use: StateUse): void {
    if (use.kind !== "value" || use.default === undefined) return;
    this.dependsOn({ revision: contentHash(JSON.stringify(["state", use])), files: [] });
  }

  #templateAt(path: Path, source: string, use: TemplateUse): TextTemplate | undefined {
    let nth = 0;
    const doubts: ExpressionFault[] = [];
    const compile: CompileExpression = (inner, start) => {
      const compiled = this.#compile(inner, path, nth++);
      const own = "faults" in compiled ? [] : this.#corrections.doubtsOf(compiled, path);
      doubts.push(...own.map((doubt) => ({ ...doubt, offset: doubt.offset + start })));
      return compiled;
    };
    const compiled = compileTemplate(source, compile, use);
    if ("faults" in compiled) {
      return this.#addFaults(
        path,
        source,
        compiled.faults.map((fault) => this.#corrections.shown(source, fault)),
      );
    }
    this.#addFaults(path, source, doubts);
    this.#noteSecrets(path, source, compiled.secrets);
    return compiled;
  }

  #addFaults(path: Path, source: string, faults: readonly ExpressionFault[]): undefined {
    for (const fault of faults) this.#tell(placed(this.document, path, source, fault));
  }

  #noteSecrets(path: Path, source: string, secrets: readonly SecretName[]): void {
    for (const { name, optional, isAsked, isTakenApart, offset, length } of secrets) {
      if (!isAsked && !this.readsSecrets) {
        const mistake = secretShown(name);
        const whole = `secrets.${name}`.length;
        this.#tell(placed(this.document, path, source, { mistake, offset, length: whole }));
      }
      const fault = { mistake: notSet(name), offset, length };
      const problem = placed(this.document, path, source, fault);
      this.#found.secrets.push({ name, optional, isTakenApart, problem });
    }
  }
}

const NO_EXPRESSION: Mistake = {
  code: "wrong-type",
  message: "an expression is required here",
  help: "write one, as  sender.followers_count > 100",
};

/** Adds to a problem in a shared text or called rule which rule uses it: `…, where rule "a" (a.yaml:3) runs it`. */
function saidBy(
  {
    document,
    base,
    openTexts,
    calls,
  }: Pick<CompileContext, "document" | "base" | "openTexts" | "calls">,
  problem: Problem,
): Problem {
  const by = calls.chain[0];
  const run = by === undefined ? "" : `, where rule "${by.id}" (${by.file}:${by.line}) runs it`;
  if (openTexts.length === 0) return { ...problem, message: `${problem.message}${run}` };
  const id = valueAt(document.value, [...base, "id"]);
  const rule = typeof id === "string" ? `rule "${id}"` : "a rule";
  return { ...problem, message: `${problem.message}, where ${rule} uses it${run}` };
}

function spotOf({ file, line, column, length, sourceLine }: Problem): Spot {
  return { file, line, column, length, sourceLine };
}

/** Returns the mistake of using a secret that is not set as an environment variable. */
function notSet(name: string): Mistake {
  return {
    code: "secret-not-set",
    message: `the secret ${name} is not set`,
    help: `set it in the environment:  ${name}=…`,
  };
}

/** Returns the mistake of reading a secret's value where it would be shown or stored, or decide a condition. */
function secretShown(name: string): Mistake {
  return {
    code: "secret-in-text",
    message: `secrets.${name} can't be read here: only "http" (url, headers, json, body) and "call" (with) read secrets`,
    help: "remove it from the text",
  };
}

/** Returns the problem for a fault of `source`, the text at `path`. */
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
