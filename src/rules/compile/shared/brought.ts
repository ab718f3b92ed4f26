import type { Mistake, Problem } from "../../../config/problem.ts";
import type { RuleFileSource } from "../../rule-file-source.ts";

/** Something that a rule uses and that its file, or a file beside it, says. */
export interface Brought {
  /** What it says, for the revision of the rule. */
  readonly revision: string;
  /** Paths of the files that it comes from. */
  readonly files: readonly string[];
  /** The file of a rule that it runs. */
  readonly runs?: RuleFileSource;
}

/** What a name of a rule file stands for, or why it can't be used. */
export type Looked<T> =
  | { readonly value: T; readonly brought: Brought }
  /** What is wrong stands where the name is defined. */
  | { readonly problems: readonly Problem[] }
  /** What is wrong is the name. */
  | { readonly mistake: Mistake };
