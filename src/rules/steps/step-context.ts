import type { Mistake, Spot } from "../../config/problem.ts";
import type { Part, Path, YamlDocument } from "../../config/yaml-document.ts";
import type { CallUse } from "../ruleset.ts";
import type { Expression } from "../expression/expression.ts";
import type { RuleScope } from "../expression/scope.ts";
import type { TextTemplate } from "../expression/template.ts";
import type { StateType } from "../expression/value-types/state-types.ts";
import type { View } from "../expression/view.ts";
import type { RuleFileSource } from "../rule-file-source.ts";
import type { StateUse } from "../schema/state-keys.ts";

/** Rule whose step is compiled: its position, the names that it can read, and the calls that lead to it. */
export interface StepPlace {
  readonly document: YamlDocument;
  readonly base: Path;
  readonly source: RuleFileSource;
  /** Fields and state that the rule can read. */
  readonly scope: RuleScope;
  /** Calls that lead to the rule, outermost first. Empty for a rule that a trigger starts. */
  readonly calls: { readonly chain: readonly { readonly handlesFailure: boolean }[] };
}

/** Methods by which the compilers of steps record what a rule reads, changes and calls. */
export interface StepNotes {
  readonly secrets: readonly unknown[];
  uses(use: StateUse): void;
  /** Records the CEL type of a state value that the rule reads or stores at the path `at` of its file. */
  notesState(path: string, type: string, does: StateType["does"], at: Path): void;
  callsFunction(use: CallUse): void;
}

/** Services of the rule compiler that the compilers of the single steps call. */
export interface StepContext extends StepPlace, StepNotes {
  /**
   * Adds the problem `mistake` at `path`. Returns `undefined`, so that compilers can end with `return
   * context.report(…)`.
   */
  report(path: Path, mistake: Mistake, part?: Part): undefined;
  spot(path: Path): Spot;
  /** Formats `path` relative to the rule, for people: `conditions[0].any[1]`. */
  label(path: Path): string;
  /** Compiles the scalar at `path` as an expression whose value is true or false. */
  condition(path: Path): Expression | undefined;
  /** Compiles the scalar at `path` as a text with `${{ }}`. */
  template(path: Path, source: string): TextTemplate | undefined;
  /** Compiles like `template`, but a scalar that is a single expression may return a list or a map. */
  value(path: Path, source: string): TextTemplate | undefined;
  /** Returns the same context, in which expressions may read the values of secrets. */
  readingSecrets(): StepContext;
  /** Compiles the shared text `name`, which the step uses at `path`. */
  sharedText(path: Path, name: string): SharedSaying | undefined;
  /** Returns the path of the picture or video that the step names at `path`. */
  sharedMedia(path: Path, written: string): string | undefined;
}

/** Shared text, compiled for the rule that uses it. */
export interface SharedSaying {
  /** All wordings of the text, each with its path. */
  readonly variants: readonly { readonly template: TextTemplate; readonly path: Path }[];
  /**
   * Returns the wording for an event: in the language `wanted`, else in the language of the person's post, else in the
   * first language of the text. Of several wordings, the event's key selects one, so a retry selects the same wording.
   */
  readonly choose: (view: View, wanted?: string) => TextTemplate;
}
