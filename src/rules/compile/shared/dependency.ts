import type { Mistake, Problem } from "../../../config/problem.ts";
import type { RuleFileSource } from "../../rule-file-source.ts";

/** Dependency of a rule: a definition in its file, or another file. */
export interface Dependency {
  /** Hash or text of the dependency. It is part of the rule's revision. */
  readonly revision: string;
  /** Paths of the files with the definition. */
  readonly files: readonly string[];
  /** File of the called rule, if the dependency is a call. */
  readonly runs?: RuleFileSource;
}

/** Result of looking up a name, such as that of a list or text, among the definitions of a rule file. */
export type Looked<T> =
  | { readonly value: T; readonly dependency: Dependency }
  /** The definition of the name is wrong. */
  | { readonly problems: readonly Problem[] }
  /** The name itself is wrong. */
  | { readonly mistake: Mistake };
