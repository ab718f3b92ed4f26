import { hasErrors, type Problem } from "../../config/problem.ts";
import {
  compile,
  type SourceFile,
  type ReadNamedFile,
  withNamedFiles,
} from "../../rules/compile.ts";
import type { Ruleset } from "../../rules/ruleset.ts";

/** The rule files on disk, and a function that reads the files (such as word lists) that a rule file refers to. */
export interface RuleFiles {
  /** Returns the rule files on disk, with the contents of the files that they refer to. */
  files(): Promise<readonly SourceFile[]>;
  /**
   * Reads a file that an edited rule file refers to. Absent: the edit can only refer to files that the rule file on
   * disk refers to.
   */
  readonly readNamed?: ReadNamedFile;
}

/** An unsaved text of a rule file, which replaces the text on disk. */
export interface RuleEdit {
  /** Path of the rule file, as in the compiled rules; a file with an unknown path is added. */
  readonly file: string;
  readonly text: string;
}

/** Rule files with an edit applied, and their compiled rules. */
export interface EditedRules {
  readonly files: readonly SourceFile[];
  readonly ruleset: Ruleset;
  /** Problems of the edited file, including warnings, in the order of its lines. */
  readonly problems: readonly Problem[];
  /** Whether the problems include errors. The rules with errors are then missing in the ruleset. */
  readonly isBroken: boolean;
}

/** Compiles the rules with an edit applied. */
export async function editedRules(
  needs: RuleFiles,
  { file, text }: RuleEdit,
): Promise<EditedRules> {
  const before = await needs.files();
  const [named] = needs.readNamed
    ? await withNamedFiles([{ path: file, text }], needs.readNamed)
    : [{ ...before.find(({ path }) => path === file), path: file, text }];
  const edited = named ?? { path: file, text };
  const isKnown = before.some(({ path }) => path === file);
  const files = isKnown
    ? before.map((one) => (one.path === file ? edited : one))
    : [...before, edited];
  const { ruleset, problems } = compile(files);
  const own = problems.filter((problem) => problem.file === file);
  return { files, ruleset, problems: own, isBroken: hasErrors(own) };
}
