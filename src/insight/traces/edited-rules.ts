import { hasErrors, type Problem } from "../../config/problem.ts";
import {
  compile,
  type SourceFile,
  type ReadNamedFile,
  withNamedFiles,
} from "../../rules/compile.ts";
import type { Ruleset } from "../../rules/ruleset.ts";

/** The rule files, and how what they name is read. */
export interface RuleFiles {
  /** The rule files as they are on disk, with the files that they name. */
  files(): Promise<readonly SourceFile[]>;
  /** Reads a file that an edited text names; without it only what its file named before is there. */
  readonly readNamed?: ReadNamedFile;
}

/** A text that stands in the place of a rule file's, which is not saved. */
export interface RuleEdit {
  /** Path of the file, as the rules have it; another one is added. */
  readonly file: string;
  readonly text: string;
}

/** Rule files with an edit, compiled. */
export interface EditedRules {
  readonly files: readonly SourceFile[];
  readonly ruleset: Ruleset;
  /** What is wrong with the edited file, warnings included, in the order of its lines. */
  readonly problems: readonly Problem[];
  /** There are errors among them: its broken rules are not in the ruleset. */
  readonly isBroken: boolean;
}

/** The rules as they would be with an edit. */
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
