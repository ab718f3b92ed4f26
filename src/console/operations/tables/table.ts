/**
 * What stands in a field: a text, a number, a moment (ISO 8601, or milliseconds since the epoch) with what to say before it,
 * or a link within the console.
 */
export type TableCell =
  | string
  | number
  | { readonly at: string | number; readonly before?: string }
  | { readonly to: string; readonly text: string };

/** A table for the page, newest first. */
export interface ShownTable {
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly id: string;
    readonly cells: readonly TableCell[];
    /** What a button at its end has done. */
    readonly remove?: RowCommand;
  }[];
  /** Said instead of a table without rows: what would be there, and how to make some. */
  readonly empty: string;
  /** Said below it. */
  readonly note?: string;
}

/** What a button has made by the command `make`. */
export interface RowCommand {
  readonly label: string;
  readonly what: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Something to fill in; what is filled in goes to the command `make`. */
export interface ShownForm {
  /** Name of what is made. */
  readonly what: string;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly button: string;
  /** What was filled in stays there, to be made again with little changed. */
  readonly keeps?: boolean;
}

/** A field of a form: one of `options` where it has them, the first at first; else a text. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** What stands in it at first. */
  readonly value?: string;
  /** Value and words. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly type?: "hidden" | "number";
  /** It may be left empty. */
  readonly optional?: boolean;
}

/** How the platform is asked for an object, with what can be chosen of the answer. */
export interface LookUp {
  readonly path: string;
  /** Such as `post.fields`. */
  readonly parameter: string;
  readonly fields: readonly string[];
  readonly expansions: readonly string[];
  /** Expansions without which the object is not in the answer. */
  readonly ticked?: readonly string[];
  /** As whom: `app`, or the id of a person who may see it. */
  readonly as: string;
}

/** An object for the page. */
export interface ShownObject {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, values: readonly TableCell[]])[];
  readonly forms: readonly ShownForm[];
  /** Absent where the platform shows it to nobody yet. */
  readonly lookUp?: LookUp;
}
