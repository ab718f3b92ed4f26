import type { NamedFiles } from "./named-files.ts";

/** Value of an input, a constant of a rule file: set by the `use` of an including file, otherwise the default. */
export type InputValue = string | number | boolean | readonly string[];
/** Inputs by name. */
export type InputValues = Readonly<Record<string, InputValue>>;

/** Source of a compiled rule file: its text, and all else that the compiler read. Plain JSON. */
export interface RuleFileSource {
  readonly path: string;
  readonly text: string;
  /** Contents of the files that the rule file names. */
  readonly named?: NamedFiles;
  /** Use of the file by another file; absent for a file that no other file uses. */
  readonly use?: {
    /** Prefix of the rules' ids: `spring`, or `spring.summer` if a used file uses this file. */
    readonly as: string;
    /** Outermost file that uses this file. The rules belong to the group of the outermost file. */
    readonly by: string;
    /** Account that the using file names for its rules. */
    readonly account?: string;
    readonly inputs: InputValues;
  };
}

/**
 * Returns the path of the file whose rules form the rule's default group: the outermost including file, otherwise its
 * own.
 */
export function homeOf({ source }: { readonly source: RuleFileSource }): string {
  return source.use?.by ?? source.path;
}

/** Returns the full id of a rule, with the prefix from the `use` of its file: `spring.code`. */
export function idIn({ use }: Pick<RuleFileSource, "use">, id: string): string {
  return use === undefined ? id : `${use.as}.${id}`;
}
