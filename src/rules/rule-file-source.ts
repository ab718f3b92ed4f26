import type { NamedFiles } from "./named-files.ts";

/** A constant of a rule file: what `use` gives, else the default. */
export type InputValue = string | number | boolean | readonly string[];
/** Inputs by name. */
export type InputValues = Readonly<Record<string, InputValue>>;

/** A rule file as it was compiled. Plain JSON. */
export interface RuleFileSource {
  readonly path: string;
  readonly text: string;
  /** Files that it names. */
  readonly named?: NamedFiles;
  /** Absent: it stands for itself. */
  readonly use?: {
    /** What goes before the ids of its rules: `spring`, or `spring.summer` where a used file uses it. */
    readonly as: string;
    /** The file that it is used by in the end, to whose group its rules belong. */
    readonly by: string;
    /** The account of the file that it is used by. */
    readonly account?: string;
    readonly inputs: InputValues;
  };
}

/** The file whose rules a rule shares a group with, unless it says otherwise. */
export function homeOf({ source }: { readonly source: RuleFileSource }): string {
  return source.use?.by ?? source.path;
}

/** Returns the id of a rule of a file as other rules and commands use it: `spring.code`. */
export function idIn({ use }: Pick<RuleFileSource, "use">, id: string): string {
  return use === undefined ? id : `${use.as}.${id}`;
}
