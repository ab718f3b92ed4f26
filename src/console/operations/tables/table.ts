/** Content of a cell: text, number, time (ISO 8601 or milliseconds) after a text, or link within the console. */
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
    /** Command of the button at the end of the row. */
    readonly remove?: RowCommand;
  }[];
  /** Text in place of a table without rows: what it would show, and how to create a row. */
  readonly empty: string;
  /** Text below the table. */
  readonly note?: string;
}

/** Button that runs the command `make`. */
export interface RowCommand {
  readonly label: string;
  readonly what: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Form whose values go to the command `make`. */
export interface ShownForm {
  /** Name of the maker that creates the object. */
  readonly what: string;
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly button: string;
  /** Keeps the values after submission, for a similar object. */
  readonly keeps?: boolean;
}

/** A field of a form: a choice among `options` if present, the first by default; otherwise a text. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** Initial value of the field. */
  readonly value?: string;
  /** Possible values with their labels. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  readonly type?: "hidden" | "number";
  /** Whether the field may be left empty. */
  readonly optional?: boolean;
}

/** Request for an object from the platform, with the fields and expansions that can be chosen. */
export interface LookUp {
  readonly path: string;
  /** Query parameter of the chosen fields, for example `post.fields`. */
  readonly parameter: string;
  readonly fields: readonly string[];
  readonly expansions: readonly string[];
  /** Expansions without which the object is not in the answer. */
  readonly ticked?: readonly string[];
  /** Caller: `app`, or the id of a person who may see the object. */
  readonly as: string;
}

/** An object of the sandbox's data, for the page. */
export interface ShownObject {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, values: readonly TableCell[]])[];
  readonly forms: readonly ShownForm[];
  /** Request that returns the object from the platform; absent if no endpoint returns it. */
  readonly lookUp?: LookUp;
}
